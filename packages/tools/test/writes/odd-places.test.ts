import { describe, expect, it } from "vitest";
import type { FleetToolsOptions } from "../../src/index.ts";
import type { Script } from "../served-fleet.ts";
import { servedWrites } from "./served-writes.ts";

describe("where the service placed an address", () => {
  const LYON = { lat: 45.75, lng: 4.83 };
  const MUNICH = { lat: 48.14, lng: 11.58 };
  const gazetteer = () => import("@fleetwire/tools/gazetteer");
  async function placed(address: string, job: object, options: FleetToolsOptions = { gazetteer }) {
    const script: Script = { createJob: () => ({ body: { job: { jobId: "j1", ...job } } }) };
    const { text } = await servedWrites({ script, env: { FLEET_CONFIRM: "never" }, options });
    return text("create_job", { address });
  }

  it.each<[string, string, object, RegExp | undefined]>([
    ["in its town", "Quai Perrache 10, 69002 Lyon, France", LYON, undefined],
    ["in its town, under another name", "Marienplatz 1, 80331 Monaco di Baviera", MUNICH, undefined],
    ["far from its town", "Quai Perrache 10, 69002 Lyon, France", MUNICH, /^5\d\d km from Lyon: tell the user/],
    ["beside its town", "Rue A 1, Lyon", { lat: 45.75, lng: 5.05 }, /^1\d km from Lyon/],
    ["in a street named after another town", "Berliner Straße 1, Via Roma, Lyon", LYON, undefined],
    ["in a town that is named in part", "Rathausplatz 1, Frankfurt", LYON, undefined],
    ["far from all towns of that name", "Basiliekstraat 1, Halle", MUNICH, /^4\d\d km from Halle/],
    ["without a town", "the old mill", MUNICH, undefined],
    ["without a point", "Lyon", {}, undefined],
  ])("is remarked if it is far away: %s", async (_, address, job, expected) => {
    const remark = /The service placed the address (.*)/.exec(await placed(address, job))?.[1];
    expect(remark).toEqual(expected && expect.stringMatching(expected));
  });

  it("is not looked at without a map of towns, or if it cannot be loaded", async () => {
    for (const options of [{}, { gazetteer: () => Promise.reject(new Error("offline")) }])
      expect(await placed("Lyon", MUNICH, options)).not.toContain("The service placed");
  });
});

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  loadFixtures,
  type ProviderServer,
  packageFixtures,
  pactOf,
  readBaseline,
  STATE_PATH,
  startProvider,
} from "@fleetwire/contract-tests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandOutput, folderWith, run } from "./external-command.ts";

const script = fileURLToPath(new URL("../scripts/verify-pact.mjs", import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: each case alters another part of an interaction
type Pact = { interactions: any[] };

const exported = () => JSON.parse(JSON.stringify(pactOf(loadFixtures(), readBaseline(packageFixtures)))) as Pact;

/** The Pact with one altered interaction. */
function broken(id: string, breakIt: (interaction: Pact["interactions"][number]) => void): Pact {
  const pact = exported();
  pact.interactions = pact.interactions.filter(({ description }) => description.includes(`(documented/${id})`));
  expect(pact.interactions).toHaveLength(1);
  for (const interaction of pact.interactions) breakIt(interaction);
  return pact;
}

let provider: ProviderServer;

beforeAll(async () => {
  provider = await startProvider();
});

afterAll(() => provider.close());

/** Pact's verifier sends each request to the sandbox in the provider state of the interaction. */
async function verify(pact: Pact): Promise<CommandOutput> {
  const folder = await folderWith({ "pact.json": pact });
  return run(process.execPath, [script, join(folder, "pact.json"), provider.origin, STATE_PATH], { proxy: "" });
}

describe("Pact's verifier over the exported Pact file", () => {
  it("passes every interaction", { timeout: 240_000 }, async () => {
    const pact = exported();
    expect(pact.interactions.length).toBeGreaterThan(70);
    const { code, output } = await verify(pact);
    expect(output.match(/has status code/g)).toHaveLength(pact.interactions.length);
    expect(output).not.toContain("FAILED");
    expect(code).toBe(0);
  });

  it.each<[string, Pact, RegExp]>([
    ["another status", broken("update-group-rename", ({ response }) => (response.status = 409)), /expected 409 but was 200/],
    [
      "an unknown field",
      broken("update-group-rename", ({ response }) => (response.body.colour = "red")),
      /Actual map is missing the following keys: colour/,
    ],
    ["a field of another type", broken("update-group-rename", ({ response }) => (response.body.name = 7)), /\$\.name/],
    ["another shape", broken("update-group-group-not-found", ({ response }) => (response.body = { errorCode: 1 })), /\$/],
    ["another content type", broken("list-tire-events-no-parameters", contentType), /Content-Type/],
  ])("fails for %s", async (_, pact, words) => {
    const { code, output } = await verify(pact);
    expect(output).toMatch(words);
    expect(code).toBe(1);
  });
});

function contentType({ response }: Pact["interactions"][number]): void {
  response.headers["Content-Type"] = "text/csv";
  response.matchingRules.header["Content-Type"].matchers[0].regex = "text/csv";
}

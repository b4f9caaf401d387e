import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFleetClient, type FleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { type ProfileFact, readProfile } from "@fleetwire/core/internal";
import { createSandbox, type SandboxOptions } from "@fleetwire/sandbox";
import { describe, expect, it } from "vitest";
import { run, temporaryFolder } from "./run-command.ts";

const NOW = Date.parse("2026-11-20T10:00:00Z");
const DAY = { startTime: new Date(NOW - 86_400_000), endTime: new Date(NOW) };

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
type Json = any;

/** How a service differs from the sandbox. */
interface Altered {
  url: string;
  body: (body: Json, status: number) => Json;
  /** A request header or query that the service does not see. */
  asked?: (url: URL, sent: Json) => void;
}

/** The calls that a client makes. */
async function useService(fleet: FleetClient): Promise<void> {
  const positions = await fleet.listLivePositions({});
  await fleet.listVehicleFaults({});
  await fleet.listVehicleFaults({ pageSize: 2, pageIndex: 1 });
  await fleet.listVehicleFaults({ pageSize: 100_000 });
  await fleet.queryTachoActivity(DAY);
  await fleet.queryTachoActivity({ ...DAY, limit: 3 });
  await fleet.createJob({ jobTitle: "Deliver", address: "Quai 1, Lyon" });
  await fleet.listJobs({});
  await fleet.listTireEvents({});
  const group = positions.find(({ assetGroupId: id }) => positions.filter(({ assetGroupId }) => assetGroupId === id).length > 1);
  await fleet.updateGroup({ id: group?.assetGroupId ?? "", vehicleIds: [group?.assetId ?? ""] });
  await fleet.listLivePositions({});
  await fleet.updateGroup({ id: "nosuchgroup", name: "canary-name" }).catch(() => {});
}

/** A recording of a client's calls to a service, as an HTTP archive. */
async function recorded({ url, body, asked }: Altered, options: SandboxOptions = {}) {
  const sandbox = createSandbox({ clock: () => NOW, ...options });
  const entries: unknown[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const address = new URL(String(input));
    const sent = new URL(address);
    const content = String(init.body ?? "");
    const affected = address.pathname.includes(url);
    if (affected) asked?.(sent, undefined);
    const { status, headers, ...response } = await sandbox.fetch(sent, init).then(async (response) => ({
      ...{ status: response.status, headers: response.headers, text: await response.text() },
    }));
    const text = affected && response.text !== "" ? JSON.stringify(body(JSON.parse(response.text), status)) : response.text;
    const requestHeaders = [...new Headers(init.headers)].map(([name, value]) => ({ name, value }));
    entries.push({
      startedDateTime: new Date(NOW + entries.length * 1000).toISOString(),
      request: {
        ...{ method: init.method ?? "GET", url: String(address), headers: requestHeaders },
        ...(content !== "" && { postData: { mimeType: new Headers(init.headers).get("content-type"), text: content } }),
      },
      response: { status, content: { size: text.length, mimeType: "application/json", text } },
    });
    return new Response(text, { status, headers });
  };
  await useService(createFleetClient({ ...fleetConfigFromEnv(sandbox.env), fetch, retries: 0 }));
  return { log: { version: "1.2", entries } };
}

/** The facts of the profile that `learn` writes. */
async function learnedFrom(archive: unknown): Promise<ProfileFact[]> {
  const folder = temporaryFolder();
  const [har, out] = [join(folder, "calls.har"), join(folder, "profile.json")];
  writeFileSync(har, JSON.stringify(archive));
  const { code, stderr } = await run(["learn", har, "--out", out]);
  expect(code, stderr).toBe(0);
  const text = readFileSync(out, "utf8");
  expect(text).not.toContain("canary");
  return readProfile(text).facts;
}

const nameOf = (fact: ProfileFact) =>
  [fact.operation, fact.fact, ...["path", "status", "which"].flatMap((key) => (key in fact ? [(fact as Json)[key]] : []))].join(" ");

/** What a fact says, in short. */
function saidBy(fact: ProfileFact): unknown {
  if (fact.fact === "values") return fact.values.map(({ value }) => value);
  if (fact.fact === "shape") return fact.fields.map(({ path, types, values }) => [path, types.join("|"), ...(values ?? []).map(({ value }) => value)].join(" "));
  return fact.fact === "unit" ? fact.unit : fact.fact === "pageSize" ? fact.size : fact.effect;
}

const saidByAll = (facts: readonly ProfileFact[]): Record<string, Json> =>
  Object.fromEntries(facts.map((fact) => [nameOf(fact), saidBy(fact)]));

const UNALTERED: Altered = { url: "nowhere", body: (body) => body };
const plain = recorded(UNALTERED).then((archive) => ({ archive }));

it("dump", async () => {
  console.dir(saidByAll(await learnedFrom((await plain).archive)), { depth: 9, maxArrayLength: 400 });
});

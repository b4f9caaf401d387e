import { fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox, type Sandbox } from "@fleetwire/sandbox";
import { describe, expect, it } from "vitest";
import { reportOf } from "../src/deployment/drift-report.ts";
import { runPlan } from "../src/deployment/run-plan.ts";
import { SANDBOX_TIME } from "../src/provider/provider-sandbox.ts";

const now = () => SANDBOX_TIME;

/** What verifying finds of a service that stands before a sandbox. */
async function found(service: (sandbox: Sandbox) => typeof fetch): Promise<string[]> {
  const sandbox = createSandbox({ seed: 1, clock: now });
  const config = { ...fleetConfigFromEnv(sandbox.env), fetch: service(sandbox) };
  const { signal } = new AbortController();
  const outcome = await runPlan({ config, userAgent: "test", allowWrites: false, signal, now, onProgress: () => {} });
  const { findings, checked } = reportOf(outcome, []);
  expect(checked.length).toBeGreaterThan(14);
  return findings.map(({ operation, path, kind }) => `${operation} ${path} ${kind}`);
}

/** A service that does not hear of a parameter. */
const without = (parameter: string) => (sandbox: Sandbox) => {
  const deaf: typeof fetch = (input, init = {}) => {
    const url = new URL(String(input));
    url.searchParams.delete(parameter);
    const isJson = new Headers(init.headers).get("content-type")?.startsWith("application/json");
    const heard = (name: string, value: unknown) => (name === parameter ? undefined : value);
    return sandbox.fetch(url, isJson ? { ...init, body: JSON.stringify(JSON.parse(String(init.body)), heard) } : init);
  };
  return deaf;
};

describe("a deployment that does not hear of a parameter", () => {
  it.each([
    ["vehicleIds", "listLivePositions $[*].assetId not what vehicleIds asks for"],
    ["driverIds", "listLivePositions $[*].driverId not what driverIds asks for"],
    ["vehicleId", "listVehicleFaults $.items[*].id not what vehicleId asks for"],
    ["pageSize", "listVehicleFaults $.items more than pageSize"],
    ["pageIndex", "listVehicleFaults $.pagination.pageIndex another one than was asked for"],
    ["driverKeys", "queryTachoActivity $.data[*].driverKey not what driverKeys asks for"],
    ["registrations", "queryTachoActivity $.data[*].activities[*].assetRegistration not what registrations asks for"],
    ["limit", "queryTachoActivity $.data more than limit"],
    ["skip", "queryTachoActivity $.data the first page again"],
    ["sort", "queryTachoActivity $.data[*].driverKey not in the order ASC"],
  ])("is convicted of ignoring %s", async (parameter, finding) => {
    expect(await found(without(parameter))).toContain(finding);
  });

  it("is not convicted of what nobody asks for", async () => {
    expect(await found(without("nothing"))).toEqual([]);
  });
});

it("a name that may be somebody's is told by no report", async () => {
  const naming = (sandbox: Sandbox) =>
    (async (input, init = {}) => {
      const answer = await sandbox.fetch(String(input), init);
      if (!String(input).includes("/tracking/live")) return answer;
      const [first, ...others] = (await answer.json()) as object[];
      return Response.json([
        { ...first, "Jane.Doe": 1, KX21ABC: 2, "jane-doe": 1, "+49 177 1234567": 1, drv4711: 1, axleCount: 3, axle_load: 1 },
        ...others,
      ]);
    }) as typeof fetch;
  const names = new Set((await found(naming)).map((finding) => finding.split(" ")[1]));
  expect(names).toEqual(new Set(["$[*].<name>", "$[*].axleCount", "$[*].axle_load"]));
});

import { fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox, type Sandbox } from "@fleetwire/sandbox";
import { describe, expect, it } from "vitest";
import { reportOf, runPlan } from "../src/deployment/index.ts";

const now = () => Date.parse("2026-11-20T10:00:00Z");

/** What verify finds in a service in front of a sandbox. */
async function found(service: (sandbox: Sandbox) => typeof fetch): Promise<string[]> {
  const sandbox = createSandbox({ seed: 1, clock: now });
  const config = { ...fleetConfigFromEnv(sandbox.env), fetch: service(sandbox) };
  const { signal } = new AbortController();
  const outcome = await runPlan({ config, userAgent: "test", allowWrites: false, signal, now, onProgress: () => {} });
  const { findings, checked } = reportOf(outcome, { at: new Date(now()) });
  expect(checked.length).toBeGreaterThan(14);
  return findings.map(({ operation, path, kind }) => `${operation} ${path} ${kind}`);
}

/** A service that ignores a parameter. */
const without = (parameter: string) => (sandbox: Sandbox) => {
  const ignoring: typeof fetch = (input, init = {}) => {
    const url = new URL(String(input));
    url.searchParams.delete(parameter);
    const isJson = new Headers(init.headers).get("content-type")?.startsWith("application/json");
    const withoutParameter = (name: string, value: unknown) => (name === parameter ? undefined : value);
    return sandbox.fetch(url, isJson ? { ...init, body: JSON.stringify(JSON.parse(String(init.body)), withoutParameter) } : init);
  };
  return ignoring;
};

describe("a deployment that ignores a parameter", () => {
  it.each([
    ["vehicleIds", "listLivePositions $[*].assetId does not match vehicleIds"],
    ["driverIds", "listLivePositions $[*].driverId does not match driverIds"],
    ["vehicleId", "listVehicleFaults $.items[*].id does not match vehicleId"],
    ["pageSize", "listVehicleFaults $.items more than pageSize"],
    ["pageIndex", "listVehicleFaults $.pagination.pageIndex not the requested one"],
    ["driverKeys", "queryTachoActivity $.data[*].driverKey does not match driverKeys"],
    ["registrations", "queryTachoActivity $.data[*].activities[*].assetRegistration does not match registrations"],
    ["limit", "queryTachoActivity $.data more than limit"],
    ["skip", "queryTachoActivity $.data the first page again"],
    ["sort", "queryTachoActivity $.data[*].driverKey not in ASC order"],
  ])("is reported for %s", async (parameter, finding) => {
    expect(await found(without(parameter))).toContain(finding);
  });

  it("is not reported for a parameter that nobody sends", async () => {
    expect(await found(without("nothing"))).toEqual([]);
  });
});

describe("a response with another form of its content-type", () => {
  const altered = (init: ResponseInit) => (sandbox: Sandbox) =>
    (async (input, request = {}) => new Response((await sandbox.fetch(String(input), request)).body, init)) as typeof fetch;
  it.each([
    ["with a charset", "application/json;charset=UTF-8"],
    ["in capitals", "Application/JSON"],
  ])("is not reported %s", async (_, type) => {
    expect(await found(altered({ headers: { "content-type": type } }))).toEqual([]);
  });
});

it("a report hides names that may be personal", async () => {
  const naming = (sandbox: Sandbox) =>
    (async (input, init = {}) => {
      const response = await sandbox.fetch(String(input), init);
      if (!String(input).includes("/tracking/live")) return response;
      const [first, ...others] = (await response.json()) as object[];
      return Response.json([
        { ...first, "Jane.Doe": 1, KX21ABC: 2, "jane-doe": 1, "+49 177 1234567": 1, drv4711: 1, axleCount: 3, axle_load: 1 },
        ...others,
      ]);
    }) as typeof fetch;
  const names = new Set((await found(naming)).map((finding) => finding.split(" ")[1]));
  expect(names).toEqual(new Set(["$[*].<name>", "$[*].axleCount", "$[*].axle_load"]));
});

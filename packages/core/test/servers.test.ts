import { missingServers } from "@fleetwire/core/internal";
import { describe, expect, it } from "vitest";
import { operations } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";
import { recordingServer } from "./recording-server.ts";

describe("a server URL", () => {
  it("for fleet management is used for group updates only", async () => {
    const fleetServer = await recordingServer({ body: { id: "g1" } });
    const base = await recordingServer({ body: [] });
    const management = `${fleetServer.origin}/fm/`;
    const { fleet } = await fleetUnderTest({ servers: { base: base.origin, fleet: management } });
    await fleet.updateGroup({ id: "g1" });
    await fleet.listLivePositions();
    expect(onlyRequest(fleetServer).url).toBe("/fm/public/v1/customer/c42/group");
    expect(onlyRequest(base).url).toBe("/public/v1/customer/c42/tracking/live");
  });

  it.each([
    ["base", "listLivePositions"],
    ["apiHost", "listJobs"],
    ["auth", "requestAccessToken"],
  ] as const)("for %s is reported by %s if missing", async (name, call) => {
    const { fleet, api, auth } = await fleetUnderTest({ servers: {} });
    expect(await failure(fleet[call]())).toMatchObject({ code: "config", operation: call, message: expect.stringContaining(name) });
    expect([...api.requests, ...auth.requests]).toEqual([]);
  });
});

describe("the servers that an operation still needs", () => {
  const base = "https://fleet.example.com";
  it.each([
    { name: "listLivePositions", routes: { servers: {} }, missing: ["base"] },
    { name: "listLivePositions", routes: { servers: { base }, authSchemes: { listLivePositions: "bearer" } }, missing: ["auth"] },
    { name: "updateGroup", routes: { servers: { fleet: base } }, missing: [] },
    { name: "createJob", routes: { servers: { base } }, missing: ["job", "auth"] },
    { name: "requestAccessToken", routes: { servers: {} }, missing: ["auth"] },
  ] as const)("$name: $missing", ({ name, routes, missing }) => {
    expect(missingServers(operations[name], routes)).toEqual(missing);
  });
});

// Base64 written by hand, from `printf '%s' id:secret | base64`.
it.each([
  ["a/b+c=", "==", "YS9iK2M9Oj09"],
  ["id", "pässwörd€", "aWQ6cMOkc3N3w7ZyZOKCrA=="],
])("the credentials %s:%s", async (clientId, clientSecret, base64) => {
  const { fleet, api, auth } = await fleetUnderTest({ credentials: { clientId, clientSecret } });
  await fleet.listLivePositions();
  await fleet.requestAccessToken();
  for (const server of [api, auth]) expect(onlyRequest(server).headers.authorization).toBe(`Basic ${base64}`);
});

describe("other authentication schemes", () => {
  it.each([
    { scheme: "basic", headers: { authorization: "Basic aWQ6Y2FuYXJ5LXNlY3JldA==", "x-connect-token": undefined } },
    { scheme: "bearer", headers: { authorization: "Bearer canary-T1", "x-connect-token": undefined } },
    { scheme: "connect-token", headers: { authorization: undefined, "x-connect-token": "TOKEN canary-T1" } },
  ] as const)("$scheme, only for the operations listed", async ({ scheme, headers }) => {
    const { fleet, api } = await fleetUnderTest({
      authSchemes: { listLivePositions: scheme },
      api: [{ body: [] }, { body: { id: "g1" } }],
    });
    await fleet.listLivePositions();
    await fleet.updateGroup({ id: "g1" });
    const [positions, group] = api.requests.map((request) => request.headers);
    expect({ authorization: positions?.authorization, "x-connect-token": positions?.["x-connect-token"] }).toEqual(headers);
    expect(group?.authorization).toBe("Basic aWQ6Y2FuYXJ5LXNlY3JldA==");
  });
});

it("a user agent is sent with every request", async () => {
  const { fleet, api, auth } = await fleetUnderTest({ userAgent: "fleetwire-test/1.0" });
  await fleet.listTireEvents();
  for (const server of [api, auth]) expect(onlyRequest(server).headers["user-agent"]).toBe("fleetwire-test/1.0");
});

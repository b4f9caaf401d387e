import { setTimeout as pause } from "node:timers/promises";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import type { Reply, Script } from "../../tools/test/fleet-service.ts";
import { httpUnderTest, type Mode, raw, rawCall } from "./http-under-test.ts";
import { errorOf, structuredOf, textOf } from "./server-under-test.ts";

const FLEET = Array.from({ length: 20 }, (_, at) => ({
  assetId: `v${at + 1}`,
  assetName: `Truck ${at + 1}`,
  assetRegistration: `AB ${100 + at} CD`,
  date: "2026-11-20T08:30:00Z",
  eventType: "driving",
}));

const JOB = { address: "Quai Perrache 10, Lyon", vehicleId: "v12" };

const script: Script = {
  listLivePositions: () => ({ body: FLEET }),
  createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }),
  queryTachoActivity: () => ({ body: { count: 0, data: [] } }),
};

const call = (client: Awaited<ReturnType<Awaited<ReturnType<typeof httpUnderTest>>["host"]>>, name: string, args = {}) =>
  client.callTool({ name, arguments: args });

describe.each<[Mode, string]>([
  ["auto", "2026-07-28"],
  ["legacy", "2025-11-25"],
])("over HTTP, with a host that negotiates %s", (mode, revision) => {
  it("lists the tools and serves calls", async () => {
    const { host } = await httpUnderTest(script);
    const client = await host(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: "fleetwire", version: "1.2.3" });
    const located = await call(client, "locate_vehicle", { query: "truck 12" });
    expect(structuredOf(located)).toMatchObject({ result: "found", vehicle: { assetName: "Truck 12" } });
    expect(textOf(located)).toMatch(/^Truck 12 \(AB 111 CD\)/);
  });

  it("explains failures", async () => {
    const { host, service } = await httpUnderTest(script);
    expect(errorOf(await call(await host(mode), "create_job", {}))).toMatch(/^input: .*address/);
    expect(service.of("createJob")).toEqual([]);
  });

  it("serves concurrent calls of several hosts, each with its own result", async () => {
    const { host } = await httpUnderTest(script);
    const clients = await Promise.all([host(mode), host(mode), host(mode)]);
    const asked = clients.flatMap((client) => FLEET.map(({ assetName }) => ({ client, assetName })));
    const found = await Promise.all(asked.map(({ client, assetName }) => call(client, "locate_vehicle", { query: assetName })));
    expect(found.map((result) => structuredOf(result).vehicle.assetName)).toEqual(asked.map(({ assetName }) => assetName));
  });

  it("requests one access token for all calls", async () => {
    const { host, service } = await httpUnderTest(script);
    const client = await host(mode);
    const day = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z" };
    for (let count = 0; count < 3; count++) structuredOf(await call(client, "query_tacho_activity", day));
    expect(service.of("queryTachoActivity")).toHaveLength(3);
    expect(service.of("requestAccessToken")).toHaveLength(1);
  });

  it("accepts a confirmation in a later request", async () => {
    const { host, service } = await httpUnderTest(script, { FLEET_CONFIRM: "auto" });
    const client = await host(mode);
    const { confirmation } = structuredOf(await call(client, "create_job", JOB));
    expect(service.of("createJob")).toEqual([]);
    expect(structuredOf(await call(client, "create_job", { ...JOB, confirmation })).job.jobId).toBe("j1");
  });
});

describe("a user behind a host over HTTP", () => {
  it.each<[string, Mode, ElicitResult, number, number]>([
    ["is asked in the current revision and says yes", "auto", { action: "accept", content: { confirm: true } }, 1, 1],
    ["is asked in the current revision and says no", "auto", { action: "decline" }, 1, 0],
    // Without a session, an older host's user cannot be asked: the call returns a preview.
    ["cannot be asked in an older revision", "legacy", { action: "decline" }, 0, 0],
  ])("%s", async (_, mode, reply, questions, jobs) => {
    const { host, service } = await httpUnderTest(script, { FLEET_CONFIRM: "auto" });
    const asked: string[] = [];
    const client = await host(mode, (message) => {
      asked.push(message);
      return reply;
    });
    await call(client, "create_job", JOB);
    expect({ questions: asked.length, jobs: service.of("createJob").length }).toEqual({ questions, jobs });
  });
});

describe("calls in flight", () => {
  const gate = () => {
    let open = (_: Reply) => {};
    const reply = new Promise<Reply>((resolve) => {
      open = resolve;
    });
    return { reply, open };
  };

  it("are aborted at the service when the host disconnects", async () => {
    const { host, service } = await httpUnderTest({ listLivePositions: () => "silence" });
    const client = await host("auto");
    const ending = new AbortController();
    const located = client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } }, { signal: ending.signal });
    await expect.poll(() => service.received.length).toBe(1);
    ending.abort();
    await expect(located).rejects.toThrow();
    await service.received[0]?.closed;
  });

  it.each<[Mode]>([["auto"], ["legacy"]])("send nothing to the service once cancelled: %s", async (mode) => {
    const { reply, open } = gate();
    const { host, service } = await httpUnderTest({ ...script, listLivePositions: () => reply }, { FLEET_CONFIRM: "never" });
    const client = await host(mode);
    const ending = new AbortController();
    const created = client.callTool(
      { name: "create_job", arguments: { address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" } },
      { signal: ending.signal },
    );
    const rejected = expect(created).rejects.toThrow();
    await expect.poll(() => service.of("listLivePositions").length).toBe(1);
    ending.abort();
    await rejected;
    await service.of("listLivePositions")[0]?.closed;
    open({ body: FLEET });
    await pause(300);
    expect(service.of("createJob")).toEqual([]);
  });

  it("continue if an older host's connection is lost, which is not a cancel", async () => {
    const { reply, open } = gate();
    const { http, service } = await httpUnderTest({ ...script, listLivePositions: () => reply }, { FLEET_CONFIRM: "never" });
    const lost = new AbortController();
    const { headers, body } = rawCall("create_job", { address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" });
    const sent = fetch(http.url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
      signal: lost.signal,
    });
    const read = sent.then((response) => response.text());
    await expect.poll(() => service.of("listLivePositions").length).toBe(1);
    lost.abort();
    await expect(read).rejects.toThrow();
    open({ body: FLEET });
    await expect.poll(() => service.of("createJob").length).toBe(1);
  });

  it("finish while the server shuts down", async () => {
    const { reply, open } = gate();
    const { http, service } = await httpUnderTest({ listLivePositions: () => reply });
    const located = raw(http.url, rawCall("locate_vehicle", { query: "truck 12" }));
    await expect.poll(() => service.received.length).toBe(1);
    const closed = http.close();
    open({ body: FLEET });
    expect((await located).text).toContain("Truck 12 (AB 111 CD)");
    await closed;
    await expect(raw(http.url, rawCall("locate_vehicle"))).rejects.toThrow("ECONNREFUSED");
  });

  it.each<[Mode]>([["auto"], ["legacy"]])("are aborted if the service does not respond: %s", async (mode) => {
    const { http, host, service } = await httpUnderTest({ listLivePositions: () => "silence" });
    const client = await host(mode);
    const located = client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } });
    const ended = expect(located).rejects.toThrow();
    await expect.poll(() => service.received.length).toBe(1);
    await http.close();
    await Promise.all([ended, service.received[0]?.closed]);
  });
});

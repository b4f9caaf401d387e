import { setTimeout as pause } from "node:timers/promises";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { fastClock } from "../../core/test/fast-clock.ts";
import type { Script } from "../../tools/test/served-fleet.ts";
import { httpUnderTest, raw, rawCall } from "./http-under-test.ts";
import { errorOf, gate, type Mode, structuredOf, textOf } from "./server-under-test.ts";

const FLEET = Array.from({ length: 20 }, (_, at) => ({
  assetId: `v${at + 1}`,
  assetName: `Truck ${at + 1}`,
  assetRegistration: `AB ${100 + at} CD`,
  date: "2026-11-20T08:30:00Z",
}));
const JOB = { name: "create_job", arguments: { address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" } };
const LOCATE = { name: "locate_vehicle", arguments: { query: "truck 12" } };

const script: Script = {
  listLivePositions: () => ({ body: FLEET }),
  createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }),
  queryTachoActivity: () => ({ body: { count: 0, data: [] } }),
};

describe.each<[Mode, string]>([
  ["auto", "2026-07-28"],
  ["legacy", "2025-11-25"],
])("over HTTP, with a host that negotiates %s", (mode, revision) => {
  it("serves concurrent calls of several hosts, each with its own result, and explains failures", async () => {
    const { host, service } = await httpUnderTest(script);
    const [client, ...others] = await Promise.all([host(mode), host(mode), host(mode)]);
    expect([client.getNegotiatedProtocolVersion(), client.getServerVersion()]).toMatchObject([
      revision,
      { name: "fleetwire", version: "1.2.3" },
    ]);
    const asked = [client, ...others].flatMap((one) => FLEET.map(({ assetName }) => ({ one, assetName })));
    const found = await Promise.all(asked.map(({ one, assetName }) => one.callTool({ ...LOCATE, arguments: { query: assetName } })));
    expect(found.map((result) => structuredOf(result).vehicle.assetName)).toEqual(asked.map(({ assetName }) => assetName));
    expect(textOf(found[11] as (typeof found)[0])).toMatch(/^Truck 12 \(AB 111 CD\)/);
    expect(errorOf(await client.callTool({ ...JOB, arguments: {} }))).toMatch(/^input: .*address/);
    expect(service.of("createJob")).toEqual([]);
  });
});

it.each<[string, Mode, ElicitResult, number, number]>([
  ["is asked in the current revision and says yes", "auto", { action: "accept", content: { confirm: true } }, 1, 1],
  ["is asked in the current revision and says no", "auto", { action: "decline" }, 1, 0],
  // Without a session, an older host's user cannot be asked: the call returns a preview.
  ["cannot be asked in an older revision", "legacy", { action: "decline" }, 0, 0],
])("a user behind a host over HTTP %s", async (_, mode, reply, questions, jobs) => {
  const { host, service } = await httpUnderTest(script, { FLEET_CONFIRM: "auto" });
  const asked: string[] = [];
  const client = await host(mode, (message) => {
    asked.push(message);
    return reply;
  });
  await client.callTool(JOB);
  expect([asked.length, service.of("createJob").length]).toEqual([questions, jobs]);
});

describe("calls in flight", () => {
  const gated = async () => {
    const { opened, open } = gate();
    return { ...(await httpUnderTest({ ...script, listLivePositions: () => opened.then(() => ({ body: FLEET })) })), open };
  };

  it.each<[Mode]>([["auto"], ["legacy"]])("end at the service and send nothing more to it once cancelled: %s", async (mode) => {
    const { host, service, open } = await gated();
    const client = await host(mode);
    const ending = new AbortController();
    const rejected = expect(client.callTool(JOB, { signal: ending.signal })).rejects.toThrow();
    await expect.poll(() => service.of("listLivePositions").length).toBe(1);
    ending.abort();
    await rejected;
    await service.of("listLivePositions")[0]?.closed;
    open();
    await pause(150);
    expect(service.of("createJob")).toEqual([]);
  });

  it("continue if an older host's connection is lost, which is not a cancel", async () => {
    const { http, service, open } = await gated();
    const lost = new AbortController();
    const { headers, body } = rawCall(JOB.name, JOB.arguments);
    const all = { ...headers, "content-type": "application/json" };
    const read = fetch(http.url, { method: "POST", headers: all, body, signal: lost.signal }).then((response) => response.text());
    await expect.poll(() => service.of("listLivePositions").length).toBe(1);
    lost.abort();
    await expect(read).rejects.toThrow();
    open();
    await expect.poll(() => service.of("createJob").length).toBe(1);
  });

  it("finish while the server shuts down", async () => {
    const { http, service, open } = await gated();
    const located = raw(http.url, rawCall(LOCATE.name, LOCATE.arguments));
    await expect.poll(() => service.received.length).toBe(1);
    const closed = http.close();
    open();
    expect((await located).text).toContain("Truck 12 (AB 111 CD)");
    await closed;
    await expect(raw(http.url, rawCall("locate_vehicle"))).rejects.toThrow("ECONNREFUSED");
  });

  it.each<[Mode]>([["auto"], ["legacy"]])("are aborted then if the service does not respond: %s", async (mode) => {
    fastClock(20);
    const { http, host, service } = await gated();
    const ended = expect((await host(mode)).callTool(LOCATE)).rejects.toThrow();
    await expect.poll(() => service.received.length).toBe(1);
    await http.close();
    await Promise.all([ended, service.received[0]?.closed]);
  });
});

import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Script } from "./fleet-service.ts";
import { errorOf, serverUnderTest } from "./server-under-test.ts";

const silent: Script = { listLivePositions: () => "silence", createJob: () => "silence", updateGroup: () => "silence" };

describe.each(["auto", "legacy"] as const)("a service that does not respond, revision %s", (mode) => {
  const serve = (over: Parameters<typeof serverUnderTest>[0] = {}) =>
    serverUnderTest({ mode, script: silent, callTimeout: 300, timeout: 60_000, ...over });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["locate_vehicle", { query: "truck 12" }, /^timeout: the call timed out after 0 seconds without a response\. Next: Tell the user/],
    ["update_group", { id: "north", name: "N" }, /^timeout: .*Whether anything changed is unknown\./],
    ["create_job", { address: "Lyon", vehicleName: "Truck 12" }, /^timeout: .*This call created no job\./],
    ["create_job", { address: "Lyon" }, /^unknownOutcome: .*Whether anything changed is unknown\. Job number used: FW-/],
  ])("%s fails with an explanation before the host times out", async (tool, args, expected) => {
    const { call, service } = await serve();
    expect(errorOf(await call(tool, args))).toMatch(expected);
    await service.received.at(-1)?.closed;
  });

  it("reports an unknown outcome for an update whose response was lost", async () => {
    const script: Script = { updateGroup: () => ({ status: 503, headers: { "retry-after": "1" } }) };
    const { call, service } = await serve({ script, callTimeout: 1_000, retries: 2 });
    expect(errorOf(await call("update_group", { id: "north", name: "N" }))).toMatch(/^timeout: .*Whether anything changed is unknown\./);
    expect(service.of("updateGroup")).toHaveLength(1);
  });

  it("a resource fails with an explanation too", async () => {
    const { client } = await serve();
    await expect(client.readResource({ uri: "fleet://vehicle/truck%2012" })).rejects.toThrow("timeout: the call timed out");
  });

  it("does not count the time a user takes to reply", async () => {
    const person = async () => {
      await setTimeout(700);
      return { action: "accept" as const, content: { confirm: true } };
    };
    const script: Script = { ...silent, createJob: ({ body }) => ({ body: { job: body } }) };
    const { call, service } = await serve({ person, script, callTimeout: 500 });
    expect((await call("create_job", { address: "Lyon" })).isError).toBeUndefined();
    expect(service.of("createJob")).toHaveLength(1);
  });
});

import { setTimeout as pause } from "node:timers/promises";
import type { OperationName } from "@fleetwire/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Script } from "../../tools/test/fleet-service.ts";
import { errorOf, serverUnderTest } from "./server-under-test.ts";

const CALL_TIMEOUT = 50_000;

const silent: Script = { listLivePositions: () => "silence", createJob: () => "silence", updateGroup: () => "silence" };

describe.each(["auto", "legacy"] as const)("a service that does not respond, revision %s", (mode) => {
  /** A server whose clock, and its host's, can be moved forward. */
  async function serve(over: Parameters<typeof serverUnderTest>[0] = {}) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const server = await serverUnderTest({ mode, script: silent, timeout: 600_000, ...over });
    const received = (operation: OperationName) => expect.poll(() => server.service.of(operation).length, { timeout: 10_000 }).toBe(1);
    return { ...server, received };
  }

  it.each<[string, Record<string, unknown>, OperationName, RegExp]>([
    [
      "locate_vehicle",
      { query: "truck 12" },
      "listLivePositions",
      /^timeout: the call timed out after 50 seconds without a response\. Next: Tell the user/,
    ],
    ["update_group", { id: "north", name: "N" }, "updateGroup", /^timeout: .*Whether anything changed is unknown\./],
    ["create_job", { address: "Lyon", vehicleName: "Truck 12" }, "listLivePositions", /^timeout: .*This call created no job\./],
    ["create_job", { address: "Lyon" }, "createJob", /^unknownOutcome: .*Whether anything changed is unknown\. Job number used: FW-/],
  ])("%s fails with an explanation before the host times out: %j", async (tool, args, operation, expected) => {
    const { call, service, received } = await serve();
    const result = call(tool, args);
    await received(operation);
    vi.advanceTimersByTime(CALL_TIMEOUT);
    expect(errorOf(await result)).toMatch(expected);
    await service.received.at(-1)?.closed;
  });

  it("reports an unknown outcome for an update whose response was lost", async () => {
    const script: Script = { updateGroup: () => ({ status: 503, headers: { "retry-after": "5" } }) };
    const { call, service, received } = await serve({ script, retries: 2 });
    const result = call("update_group", { id: "north", name: "N" });
    await received("updateGroup");
    await pause(100);
    vi.advanceTimersByTime(CALL_TIMEOUT);
    expect(errorOf(await result)).toMatch(/^timeout: .*Whether anything changed is unknown\./);
    expect(service.of("updateGroup")).toHaveLength(1);
  });

  it("a resource fails with an explanation too", async () => {
    const { client, received } = await serve();
    const read = expect(client.readResource({ uri: "fleet://vehicle/truck%2012" })).rejects.toThrow("timeout: the call timed out");
    await received("listLivePositions");
    vi.advanceTimersByTime(CALL_TIMEOUT);
    await read;
  });

  it("does not count the time a user takes to reply", async () => {
    const person = () => {
      vi.advanceTimersByTime(CALL_TIMEOUT + 1_000);
      return { action: "accept" as const, content: { confirm: true } };
    };
    const script: Script = { ...silent, createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) };
    const { call, service } = await serve({ person, script });
    expect((await call("create_job", { address: "Lyon" })).isError).toBeUndefined();
    expect(service.of("createJob")).toHaveLength(1);
  });
});

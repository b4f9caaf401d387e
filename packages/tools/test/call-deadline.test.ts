import type { OperationName } from "@fleetwire/core";
import { beforeEach, expect, it, vi } from "vitest";
import { fastClock } from "../../core/test/fast-clock.ts";
import { type Script, servedFleet } from "./served-fleet.ts";

const TIMEOUT = 1_500;

/** A call times out after 0.15 s. */
beforeEach(() => void fastClock(10));

const silent: Script = { listLivePositions: () => "silence", createJob: () => "silence", updateGroup: () => "silence" };

it.each<[string, Record<string, unknown>, OperationName, RegExp]>([
  [
    "locate_vehicle",
    { query: "truck 12" },
    "listLivePositions",
    /^timeout: the call timed out after .* without a response\. Next: Tell the user/,
  ],
  ["update_group", { id: "north", name: "N" }, "updateGroup", /^timeout: .*Whether anything changed is unknown\./],
  ["create_job", { address: "Lyon", vehicleName: "Truck 12" }, "listLivePositions", /^timeout: .*This call created no job\./],
  ["create_job", { address: "Lyon" }, "createJob", /^unknownOutcome: .*Whether anything changed is unknown\. Job number used: FW-/],
])("%s %j fails with an explanation if the service does not respond, and its request ends", async (tool, args, operation, expected) => {
  const { failure, tools, service } = await servedFleet({ script: silent, options: { callTimeout: TIMEOUT } });
  expect(await failure(tool, args)).toMatch(expected);
  expect(service.of(operation)).toHaveLength(1);
  await tools.writesSettled();
  await service.of(operation)[0]?.closed;
});

it("by default, before most hosts give up", async () => {
  const { tools, service } = await servedFleet({ script: silent });
  const read = tools.readVehicle("truck 12");
  await expect.poll(() => service.of("listLivePositions").length).toBe(1);
  vi.advanceTimersByTime(50_000);
  expect((await read).text).toMatch(/^timeout: the call timed out after 50 seconds without a response/);
});

it("an update that could only be repeated after the call has ended is not, and its outcome is unknown", async () => {
  const script: Script = { updateGroup: () => ({ status: 503, headers: { "retry-after": "5" } }) };
  const { failure, service } = await servedFleet({ script, config: { retries: 2 }, options: { callTimeout: TIMEOUT } });
  expect(await failure("update_group", { id: "north", name: "N" })).toContain("Whether anything changed is unknown.");
  expect(service.of("updateGroup")).toHaveLength(1);
});

it("the time a user takes to reply does not count", async () => {
  const script: Script = { createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) };
  const { tools, service } = await servedFleet({ script, env: { FLEET_CONFIRM: "auto" }, options: { callTimeout: TIMEOUT } });
  const ask = () => new Promise<"yes">((resolve) => setTimeout(resolve, 2 * TIMEOUT, "yes"));
  expect(await tools.call("create_job", { address: "Lyon" }, { elicitation: { ask } })).toMatchObject({ ok: true });
  expect(service.of("createJob")).toHaveLength(1);
});

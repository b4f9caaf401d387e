import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { FleetClient } from "../src/index.ts";
import { fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";
import { type Answer, silence } from "./recording-server.ts";

const begun: Answer = (response) => void response.writeHead(200).write('[{"assetId":"v1"},');
const period = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };
const all = async (records: AsyncIterable<unknown>) => {
  for await (const _ of records);
};

describe("60 calls on one signal add one listener to it, end once it is aborted, and leave none:", () => {
  it.each<[what: string, answer: Answer, call: (fleet: FleetClient, signal: AbortSignal) => Promise<unknown>, code?: string]>([
    ["reads", silence, (fleet, signal) => fleet.listLivePositions({}, { signal })],
    ["streams without a response", silence, (fleet, signal) => all(fleet.listLivePositions.iterate({}, { signal }))],
    ["streams", begun, (fleet, signal) => all(fleet.listLivePositions.iterate({}, { signal }))],
    ["creations", silence, (fleet, signal) => fleet.createJob({ address: "a" }, { signal }), "aborted unknownOutcome"],
    ["paged lists", silence, (fleet, signal) => all(fleet.queryTachoActivity.iterate(period, { signal }))],
  ])("%s", async (_, answer, call, codes = "aborted") => {
    const { fleet, api } = await fleetUnderTest({ api: [answer] });
    const controller = new AbortController();
    const listeners = () => getEventListeners(controller.signal, "abort").length;
    const calls = Array.from({ length: 60 }, () => call(fleet, controller.signal));
    await api.arrived(50);
    expect(listeners()).toBe(1);
    controller.abort();
    const ends = (await Promise.allSettled(calls)).map((end) => (end.status === "rejected" ? end.reason.code : "done"));
    expect([...new Set(ends)].sort().join(" ")).toBe(codes);
    expect(listeners()).toBe(0);
  });
});

it("60 calls leave no listener once they are done, nor does a loop that is left", async () => {
  const { fleet } = await fleetUnderTest({ api: [{ body: [{ assetId: "v1" }] }] });
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 60 }, () => fleet.listLivePositions({}, { signal })));
  for await (const _ of fleet.listLivePositions.iterate({}, { signal }));
  for await (const _ of fleet.listLivePositions.iterate({}, { signal })) break;
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("60 calls that are aborted while they wait for a token leave nothing for a later call to wait for", async () => {
  const { fleet, auth } = await fleetUnderTest({ auth: [silence, tokenAnswer("canary-T2")] });
  const controller = new AbortController();
  const calls = Array.from({ length: 60 }, () => fleet.listTireEvents({}, { signal: controller.signal }));
  await auth.arrived(1);
  controller.abort();
  const later = fleet.listTireEvents();
  const codes = (await Promise.allSettled(calls)).map((end) => end.status === "rejected" && end.reason.code);
  expect([...new Set(codes)]).toEqual(["aborted"]);
  expect(await later).toEqual([]);
  expect(auth.requests).toHaveLength(2);
});

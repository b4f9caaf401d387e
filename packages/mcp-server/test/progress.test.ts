import { expect, it } from "vitest";
import { tachoRecords } from "../../tools/test/served-fleet.ts";
import { serverUnderTest } from "./server-under-test.ts";

const entries = Array.from({ length: 450 }, (_, at) => ({
  driverId: `p${at}`,
  activities: [{ activity: "DRIVING", startTime: "2026-11-19T06:00:00Z", endTime: "2026-11-19T08:00:00Z" }],
}));
const script = { ...tachoRecords(entries), listLivePositions: () => ({ body: [] }) };
const summarize = { name: "summarize_driver_activity", arguments: { period: "yesterday" } };

it.each(["auto", "legacy"] as const)(
  "a call with several requests reports progress to a host that asks for it, revision %s",
  async (mode) => {
    const { client } = await serverUnderTest({ script, mode });
    const reports: object[] = [];
    const result = await client.callTool(summarize, { onprogress: (progress) => void reports.push(progress) });
    expect(result.isError).toBeUndefined();
    const expected = [{ progress: 200, total: 450, message: "200 of 450 driver entries" }, { progress: 400 }, { progress: 450 }];
    await expect.poll(() => reports).toMatchObject(expected);
  },
);

it.each(["auto", "legacy"] as const)("and ends between two of them if the host cancels it, revision %s", async (mode) => {
  let pages = 0;
  const queryTachoActivity: typeof script.queryTachoActivity = (request) =>
    ++pages === 1 ? (script.queryTachoActivity?.(request) ?? "silence") : "silence";
  const { client, service } = await serverUnderTest({ mode, timeout: 60_000, script: { ...script, queryTachoActivity } });
  const controller = new AbortController();
  const call = client.callTool(summarize, { signal: controller.signal });
  await expect.poll(() => service.of("queryTachoActivity").length).toBe(2);
  controller.abort();
  await expect(call).rejects.toThrow();
  await service.of("queryTachoActivity")[1]?.closed;
  expect(pages).toBe(2);
});

import { describe, expect, it } from "vitest";
import { tachoRecords } from "../../tools/test/fleet-service.ts";
import { serverUnderTest } from "./server-under-test.ts";

const entries = Array.from({ length: 450 }, (_, index) => ({
  driverId: `p${index}`,
  driverKey: `D${String(index).padStart(14, "0")}1`,
  activities: [{ activity: "DRIVING", startTime: "2026-11-19T06:00:00Z", endTime: "2026-11-19T08:00:00Z" }],
}));

const script = { ...tachoRecords(entries), listLivePositions: () => ({ body: [] }) };
const summarize = { name: "summarize_driver_activity", arguments: { period: "yesterday" } };

describe.each(["auto", "legacy"] as const)("a call with several requests, revision %s", (mode) => {
  it("reports progress to a host that requests it", async () => {
    const { client } = await serverUnderTest({ script, mode });
    const reports: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    const result = await client.callTool(summarize, { onprogress: (progress) => void reports.push(progress) });
    expect(result.isError).toBeUndefined();
    await expect.poll(() => reports.length).toBe(3);
    expect(reports.map(({ progress, total }) => [progress, total])).toEqual([
      [200, 450],
      [400, 450],
      [450, 450],
    ]);
    expect(reports[0]?.message).toBe("200 of 450 driver entries");
  });

  it("ends between two requests if the host cancels the call", async () => {
    let pages = 0;
    const { client, service } = await serverUnderTest({
      mode,
      timeout: 60_000,
      script: {
        ...script,
        queryTachoActivity: (request) => (++pages === 1 ? (script.queryTachoActivity?.(request) ?? "silence") : "silence"),
      },
    });
    const controller = new AbortController();
    const call = client.callTool(summarize, { signal: controller.signal });
    await expect.poll(() => service.of("queryTachoActivity").length).toBe(2);
    controller.abort();
    await expect(call).rejects.toThrow();
    await service.of("queryTachoActivity")[1]?.closed;
    expect(pages).toBe(2);
  });
});

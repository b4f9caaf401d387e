import { expect, it } from "vitest";
import { runTool } from "../../src/run-tool.ts";
import { summarizeDriverActivity } from "../../src/tools/summarize-driver-activity.ts";
import { cannedService, toolsOver } from "../canned-service.ts";

it("the columns whose names do not explain them are explained", () => {
  const text = JSON.stringify(summarizeDriverActivity.outputSchema);
  for (const explained of ["vehicle: vehicles used", "shift: length in h:mm, number of shifts", "other: by unknown word"])
    expect(text).toContain(explained);
  expect(text).not.toContain("driving: ");
});

it.each([
  [["Ana"], "Left out: 1 entry without readable times; no others from Ana."],
  [
    ["N".repeat(50), "B", "C", "D", "E", "F"],
    `Left out: 6 entries without readable times; no others from ${"N".repeat(39)}…, B, C, D, E and 1 more.`,
  ],
])("drivers of whom no entry has readable times are named, five of them and briefly: %j", async (names, expected) => {
  const unread = [{ activity: "DRIVING", startTime: "soon" }];
  const fleet = names.map((driverName, at) => ({ assetId: `v${at}`, driverId: `d${at}`, driverName }));
  const data = fleet.map(({ driverId }) => ({ driverId, driverKey: `key-${driverId}`, activities: unread }));
  const service = await cannedService(({ operation }) => (operation === "listLivePositions" ? fleet : { count: data.length, data }));
  const { text } = (await runTool(summarizeDriverActivity, { period: "yesterday" }, toolsOver(service).context)) as { text: string };
  expect(text).toContain(expected);
});

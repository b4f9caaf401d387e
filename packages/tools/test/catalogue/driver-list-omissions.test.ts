import { describe, expect, it } from "vitest";
import { driverHoursTool } from "../../src/tools/driver-hours.ts";
import { summarizeDriverActivity } from "../../src/tools/summarize-driver-activity.ts";
import type { Tool } from "../../src/writes/write-tool.ts";
import { type Asked, cannedService, rowsOf, toolsOver } from "../canned-service.ts";

interface Part {
  activity?: string;
  from: string;
  until?: string;
  isStartOfShift?: boolean;
  isEndOfShift?: boolean;
}

const activityOf = ({ activity = "DRIVING", from, until, ...more }: Part) => ({
  ...{ activity, ...more, startTime: `2026-11-${from}:00Z` },
  ...(until ? { endTime: `2026-11-${until}:00Z` } : { inProgress: true }),
});

async function listOf(tool: Tool, args: object, ...drivers: Part[][]) {
  const service = await cannedService(({ operation }: Asked) => {
    if (operation === "listLivePositions")
      return drivers.map((_, at) => ({ assetId: `v${at}`, driverId: `p${at}`, driverName: `Driver ${at}` }));
    const data = drivers.map((parts, at) => ({ driverId: `p${at}`, driverKey: `DF0000000000${at}000`, activities: parts.map(activityOf) }));
    return { count: data.length, data };
  });
  const { text, structured } = await toolsOver(service).call(tool, { ...args });
  return { note: text.split("\n")[0], rows: rowsOf(structured) };
}

const WORKED: Part[] = [
  { from: "19T06:00", until: "19T10:00" },
  { activity: "REST", from: "19T10:00", until: "19T11:00" },
  { activity: "WORK", from: "19T11:00", until: "19T12:00" },
  { activity: "REST", from: "19T12:00", until: "20T08:00" },
  { from: "20T08:00" },
];
const drivers = (count: number) => Array.from({ length: count }, () => WORKED);

describe("a list that leaves out columns names them", () => {
  it.each<[Tool, object, string]>([
    [
      driverHoursTool,
      {},
      "Not shown of more than 3 drivers: activity, leftTodayExtended, leftFortnight, drivenSinceBreak, drivenToday, drivenWeek, drivenFortnight, rest, dailyRestBy; request them as fields.",
    ],
    [summarizeDriverActivity, { period: "2026-11-19" }, "Not shown of more than 3 drivers: shift, work, breaks; request them as fields."],
  ])("in $name", async (tool, args, said) => {
    const left = async (more: object, count: number) =>
      (await listOf(tool, { ...args, ...more }, ...drivers(count))).note?.match(/Not shown of [^.]*\./)?.[0];
    expect(await left({}, 4)).toBe(said);
    expect(await left({}, 3)).toBeUndefined();
    expect(await left({ fields: ["driver"] }, 4)).toBeUndefined();
    const fields = said.replace(/.*: |;.*/g, "").split(", ");
    const { rows } = await listOf(tool, { ...args, fields }, ...drivers(4));
    for (const field of fields) expect(rows[0]?.[field], field).toBeDefined();
  });
});

describe("a shift that the period cuts is marked where it is cut", () => {
  it.each<[why: string, parts: Part[], shiftStart: string, shiftEnd: string]>([
    ["neither", [{ from: "19T06:00", until: "19T10:00" }], "06:00", "10:00"],
    ["at its end", [{ from: "19T20:00", until: "20T02:00" }], "20:00", "00:00, period ends"],
    ["at its start", [{ from: "18T20:00", until: "19T02:00" }], "00:00, period begins", "02:00"],
    ["at both", [{ from: "18T20:00", until: "20T02:00" }], "00:00, period begins", "00:00, period ends"],
    ["at its end, if still in progress", [{ from: "19T20:00" }], "20:00", "00:00, period ends"],
    ["where nothing says that it ended", [{ from: "19T20:00", until: "20T00:00" }], "20:00", "00:00, period ends"],
    ["not where it ended", [{ from: "19T20:00", until: "20T00:00", isEndOfShift: true }], "20:00", "00:00"],
    ["at its end, if it ended later", [{ from: "19T20:00", until: "20T02:00", isEndOfShift: true }], "20:00", "00:00, period ends"],
    ["not where it began", [{ from: "19T00:00", until: "19T02:00", isStartOfShift: true }], "00:00", "02:00"],
  ])("%s", async (_, parts, shiftStart, shiftEnd) => {
    const { rows } = await listOf(summarizeDriverActivity, { period: "2026-11-19" }, parts);
    expect(rows).toMatchObject([{ shiftStart, shiftEnd }]);
  });

  it("but not in the present", async () => {
    const { rows } = await listOf(summarizeDriverActivity, { period: "today" }, [{ from: "20T06:00" }]);
    expect(rows).toMatchObject([{ shiftStart: "06:00", shiftEnd: "goes on" }]);
  });
});

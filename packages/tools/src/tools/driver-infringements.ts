import { FleetError, operations, type RowQuery } from "@fleetwire/core";
import { type Infringement, infringementSteps, weekStart } from "@fleetwire/driving-time";
import * as z from "zod";
import { knownActivities, wordsOf } from "../fleet/activity-words.ts";
import { crewedActivities, hasSecondSlot } from "../fleet/crews.ts";
import type { FleetContext, ReadTool } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import { tachoPeriod } from "../fleet/tacho-pages.ts";
import { hasRecordIn, recordsOf, type TachoRecord } from "../fleet/tacho-records.ts";
import {
  acceptedDrivers,
  type ChosenBy,
  chosenDrivers,
  driverArguments,
  driversByKey,
  unplacedNote,
  vehicleArgument,
  withoutData,
} from "../lookup/chosen-drivers.ts";
import { hoursInRange, isKnown, type ReadDriver, unendedNotes, unreadNotes } from "../past/hours-texts.ts";
import { compactOutputSchema, type Row } from "../query/list-result.ts";
import { acceptedList, type ListArguments, listArguments, listOf } from "../query/list-tool.ts";
import { type RowColumns, rowColumns } from "../query/row-columns.ts";
import { toolInput } from "../query/tool-input.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { carriedSpan, periodOf } from "../text/read-period.ts";
import { hoursAndMinutes, timesOf } from "../text/time.ts";
import { driverColumns } from "./driver-columns.ts";

const DEFAULT_PERIOD = "last week";
const DAY = 24 * 3_600_000;
/** Rests and driving of these weeks decide what is an infringement; the average of 17 weeks is only computed if it is asked for. */
const WEEKS_BEFORE = 4;
const WEEKS_OF_AVERAGE = 20;

interface Arguments extends ListArguments, ChosenBy {
  period?: string;
}

/** The columns, with the meaning of those whose names do not explain it. */
const COLUMNS = {
  driver: "",
  rule: "",
  at: "when it was broken",
  over: "by how much, h:mm",
  limit: "",
  actual: "",
  certainty: "certain, or possible given what is not recorded",
  severity: "2016/403: MI minor, SI serious, VSI very, MSI most serious",
  doubts: "",
  article: "",
  start: "of the shift, week or period",
  end: "",
  driverId: "",
};

const BRIEF = ["driver", "rule", "at", "over", "certainty", "severity"];
const DETAILED = Object.keys(COLUMNS).filter((field) => field !== "driverId");
const ORDER: Pick<RowQuery, "order" | "ties"> = { order: "at", ties: ["driver", "rule"] };
const time = { isInstant: true, hasTime: true };
const columns: RowColumns = { ...rowColumns({}), shown: () => ({ at: time, start: time, end: time }) };
const ROW_TOKENS = 32;

const iso = (instant: number) => (Number.isFinite(instant) ? new Date(instant).toISOString() : undefined);

const rowOf = (one: Infringement, named: Row): Row => ({
  driver: named["driver"],
  rule: one.rule,
  at: iso(one.at),
  over: hoursInRange(one.over),
  limit: hoursAndMinutes(one.limit),
  actual: hoursInRange(one.actual),
  certainty: one.certainty,
  severity: one.severity,
  doubts: one.doubts.length > 0 ? one.doubts : undefined,
  article: one.article,
  start: iso(one.start),
  end: iso(one.end),
  driverId: named["driverId"],
});

interface Judged extends ReadDriver {
  found: readonly Infringement[];
}

interface Judging {
  window: { start: number; end: number };
  crewed: Awaited<ReturnType<typeof crewedActivities>>;
  slices: TimeSlices;
}

async function judged(record: TachoRecord, { window, crewed, slices }: Judging, context: FleetContext): Promise<Judged> {
  const now = context.now();
  const { activities, ...known } = knownActivities(record.activities, wordsOf(context.settings), now, crewed);
  if (!isKnown(known)) return { record, ...known, found: [] };
  return { record, ...known, found: await slices.run(infringementSteps(activities, window, now)) };
}

/** Returns what is recorded of those who were in vehicles with drivers who sat beside somebody: these may not have been chosen. */
async function crewsOf(records: readonly TachoRecord[], period: ReturnType<typeof tachoPeriod>, context: FleetContext) {
  const shared = records
    .filter(hasSecondSlot)
    .flatMap(({ activities }) => activities.flatMap(({ assetRegistration }) => assetRegistration || []));
  if (shared.length === 0) return [];
  return (await recordsOf(undefined, period, period, context, { registrations: [...new Set(shared)] })).records;
}

function notesOf(all: readonly Judged[], nameOf: (record: TachoRecord) => string): string[] {
  return [
    ...unreadNotes(all, "Not judged:", nameOf),
    "Under Regulation (EC) 561/2006 and Directive 2002/15/EC, from tachograph activities as recorded; no proof. Not considered: exceptions, other ferries and teams than recorded, entries not yet downloaded.",
  ];
}

export const driverInfringements: ReadTool = {
  name: "driver_infringements",
  title: "Driver infringements",
  description: "Which drivers broke EU rules on driving, breaks, rests and working time in a past period, when and by how much.",
  effect: "read",
  operations: [operations.listLivePositions, operations.queryTachoActivity],
  ...toolInput(
    {
      ...driverArguments,
      period: z.string().min(1).optional().describe(`As in summarize_driver_activity; default ${DEFAULT_PERIOD}`),
      ...listArguments("certainty=certain, severity=MSI"),
    },
    { ...acceptedDrivers, ...acceptedList, vehicle: vehicleArgument },
  ),
  outputSchema: compactOutputSchema(COLUMNS),
  run: (args: Arguments, context) =>
    listOf(
      args,
      {
        order: ORDER,
        carried: carriedSpan,
        read: async (_, { period, ...chosenBy }: Arguments, before) => {
          const window = periodOf(period ?? DEFAULT_PERIOD, before, timesOf(context), context.settings.timeZone);
          const now = context.now();
          if (window.start >= now)
            throw new FleetError("input", `period: ${window.text} is in the future`, { advice: "Pass a past period" });
          const fleet = await readFleet(context);
          const chosen = await chosenDrivers(chosenBy, fleet);
          const drivers = await driversByKey(fleet);
          const { nameOf, rowOf: namedRow } = driverColumns(drivers, fleet);
          const weeks = /averageWork/i.test(`${args.where}${args.count}`) ? WEEKS_OF_AVERAGE : WEEKS_BEFORE;
          const read = tachoPeriod(
            weekStart(window.start) - weeks * 7 * DAY,
            Math.min(Math.ceil(now / 60_000) * 60_000, window.end + 4 * 7 * DAY),
          );
          const { records, unplaced } = await recordsOf(chosen.wanted, read, read, context);
          const all: Judged[] = [];
          const crewed = await crewedActivities([...records, ...(chosen.wanted ? await crewsOf(records, read, context) : [])]);
          const slices = new TimeSlices();
          const judging = { window: { start: window.start, end: Math.min(window.end, now) }, crewed, slices };
          for (const record of records) {
            all.push(await judged(record, judging, context));
            if (slices.isOver) await slices.next();
          }
          return {
            carried: [window.start, window.end],
            rows: {
              noun: ["infringement", "infringements"],
              rows: all.flatMap(({ record, found }) => found.map((one) => rowOf(one, namedRow(record)))),
              fields: Object.keys(COLUMNS),
              shape: {},
              naming: "driver",
              columns,
              defaultFields: BRIEF,
              moreFields: DETAILED,
              rowTokens: ROW_TOKENS,
              query: ORDER,
              notes: [
                ...chosen.notes,
                `Period ${window.text}.`,
                ...unplacedNote(unplaced),
                ...withoutData(chosen.wanted?.drivers ?? [...drivers.values()], hasRecordIn(records), !chosen.wanted),
                ...notesOf(all, nameOf),
                ...unendedNotes(records, nameOf, timesOf(context)),
              ],
            },
          };
        },
      },
      context,
    ),
};

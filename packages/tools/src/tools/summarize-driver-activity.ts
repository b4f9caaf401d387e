import { operations } from "@fleetwire/core";
import * as z from "zod";
import { wordsOf } from "../fleet/activity-words.ts";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import { tachoPeriod } from "../fleet/tacho-pages.ts";
import { hasRecordIn, inVehicles, recordsOf, type TachoRecord } from "../fleet/tacho-records.ts";
import {
  acceptedDrivers,
  type ChosenBy,
  chosenDrivers,
  driverArguments,
  driversByKey,
  registeredVehicles,
  unplacedNote,
  vehicleArgument,
  withoutData,
} from "../lookup/chosen-drivers.ts";
import { labelsOf } from "../lookup/named-vehicles.ts";
import { unendedNotes } from "../past/hours-texts.ts";
import { readCursor, rowsAfter } from "../query/keyset.ts";
import { compactOutputSchema, listResult, type Row } from "../query/list-result.ts";
import { requestedFields } from "../query/row-fields.ts";
import { acceptedRows, DEFAULT_LIMIT, fieldList, type PageArguments, pageArguments, toolInput } from "../query/tool-input.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { DAY, dateOf, dayIn } from "../text/calendar-days.ts";
import { quotation, singleLine } from "../text/clip-values.ts";
import { type Noun, pluralize } from "../text/pluralize.ts";
import { PERIOD, type Period, readPeriod, type Span } from "../text/read-period.ts";
import { dayAndTime, hoursAndMinutes, timesOf, type ZonedTimes } from "../text/time.ts";
import { driverColumns } from "./driver-columns.ts";
import { type WorkedTime, workedTimes } from "./summarize-driver-activity-time.ts";

const SORTS = ["driving", "work", "shift"] as const;

interface Arguments extends PageArguments, ChosenBy {
  period: string;
  by?: "day";
  sort?: (typeof SORTS)[number];
}

/** The columns, with the meaning of those whose names do not explain it. */
const COLUMNS = {
  driver: "",
  day: "",
  vehicle: "vehicles used",
  group: "",
  shiftStart: "",
  shiftEnd: "",
  shift: "length in h:mm, number of shifts",
  driving: "",
  work: "",
  availability: "",
  breaks: "",
  other: "by unknown word",
  driverId: "",
  driverKey: "",
};

const DETAILED = [
  "driver",
  "day",
  "vehicle",
  "group",
  "shiftStart",
  "shiftEnd",
  "shift",
  "driving",
  "work",
  "availability",
  "breaks",
  "other",
];
/** Longer lists have a single figure a row, so that it takes at most 25 tokens. */
const MAX_DETAILED = 3;
const briefColumns = (sort: Arguments["sort"] = "driving") => ["driver", "day", "shiftStart", "shiftEnd", sort, "other"];

interface Worked {
  record: TachoRecord;
  /** The day, if each is a row. */
  day: string | undefined;
  window: Span;
  time: WorkedTime;
}

const shiftLength = ({ shifts }: WorkedTime) => shifts.reduce((sum, { start, end }) => sum + end - start, 0);

/** The value that rows are sorted by, largest first. */
const sortValue = ({ time }: Worked, sort: Arguments["sort"]) =>
  sort === undefined ? 0 : sort === "shift" ? shiftLength(time) : time[sort];

function rowOf({ time, record, day }: Worked, named: Row, format: (instant: number) => string): Row {
  const cut = day === undefined ? "period" : "day";
  const [first, last] = [time.shifts[0], time.shifts.at(-1)];
  const hours = (milliseconds: number) => (milliseconds > 0 ? hoursAndMinutes(milliseconds) : undefined);
  return {
    ...named,
    day,
    vehicle: time.vehicles.length > 0 ? time.vehicles : undefined,
    shiftStart: first && `${format(first.start)}${first.isCut.start ? `, ${cut} begins` : ""}`,
    shiftEnd:
      last &&
      (last.isOpen
        ? "goes on"
        : last.isUnended
          ? `unknown since ${format(last.end)}`
          : `${format(last.end)}${last.isCut.end ? `, ${cut} ends` : ""}`),
    shift: time.shifts.length > 1 ? `${hoursAndMinutes(shiftLength(time))} in ${time.shifts.length}` : hours(shiftLength(time)),
    driving: hoursAndMinutes(time.driving),
    work: hours(time.work),
    availability: hours(time.availability),
    breaks: hours(time.breaks),
    other: time.other.size > 0 ? [...time.other].map(([word, length]) => `${singleLine(word, 20)} ${hoursAndMinutes(length)}`) : undefined,
    driverKey: record.driverKeys,
  };
}

/** The content of a cursor: the window, then the sort value, name and id of the last row shown, and its index among rows with the same key. */
const Cursor = z.tuple([z.number(), z.number(), z.number(), z.string(), z.string(), z.int()]);

/** Formats times without the date, which takes most of the tokens, if all are on the same day. */
function formatIn({ start, end }: Span, times: ZonedTimes): (instant: number) => string {
  const { text } = times;
  const isOneDay = end - start < 1.5 * DAY && text(start).slice(0, 10) === text(end - 1).slice(0, 10);
  return isOneDay ? (instant) => text(instant).slice(11) : (instant) => dayAndTime(instant, times).join(" ");
}

const hasWorked = ({ driving, work, availability, shifts, other }: WorkedTime) =>
  driving + work + availability > 0 || shifts.length > 0 || other.size > 0;

/** Returns the days of a period in the user's zone, clipped to it. */
function daysIn({ start, end }: Span, { text, firstAt }: ZonedTimes): { day: string; window: Span }[] {
  const [first, last] = [dayIn(text(start)), dayIn(text(end - 1))];
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const [from, until] = [first + at, first + at + 1].map((day) => firstAt(day * DAY)) as [number, number];
    return { day: dateOf(first + at), window: { start: Math.max(start, from), end: Math.min(end, until) } };
  });
}

const MAX_NAMED = 5;

const totalOf = (worked: readonly Worked[], of: (time: WorkedTime) => number) => worked.reduce((sum, { time }) => sum + of(time), 0);

function totalNotes(worked: readonly Worked[], by: Arguments["by"]): string[] {
  if (worked.length < 2) return [];
  const total = (kind: "driving" | "work") => `${kind} ${hoursAndMinutes(totalOf(worked, (time) => time[kind]))}`;
  return [`All ${worked.length}${by === undefined ? "" : " days"}: ${total("driving")}, ${total("work")}.`];
}

function unknownWordNotes(worked: readonly Worked[]): string[] {
  const words = [...new Set(worked.flatMap(({ time }) => [...time.other.keys()]))].slice(0, MAX_NAMED);
  const quoted = words.map((word) => quotation(word, 30)).join(", ");
  return words.length === 0 ? [] : [`Not in FLEET_ACTIVITY_WORDS, so not part of shifts: ${quoted}`];
}

/** Says how many entries have no readable times, and which drivers have no others. */
function unreadNotes(counted: readonly Worked[], nameOf: (record: TachoRecord) => string): string[] {
  const unread = totalOf(counted, (time) => time.unread);
  if (unread === 0) return [];
  const names = counted.filter(({ time }) => time.unread > 0 && !hasWorked(time)).map(({ record }) => singleLine(nameOf(record), 40));
  const whose = names.length === 0 ? "" : `; no others from ${labelsOf(names, String, MAX_NAMED)}`;
  return [`Left out: ${pluralize(unread, ["entry", "entries"])} without readable times${whose}.`];
}

export const summarizeDriverActivity: ReadTool = {
  name: "summarize_driver_activity",
  title: "Summarize driver activity",
  description: "Per driver in a period: shift start, end and length, driving, work, breaks; from tachographs.",
  effect: "read",
  operations: [operations.listLivePositions, operations.queryTachoActivity],
  ...toolInput(
    {
      period: z.string().min(1).describe(PERIOD),
      by: z.enum(["day"]).optional().describe("Each day"),
      ...driverArguments,
      vehicle: vehicleArgument,
      sort: z.enum(SORTS).optional().describe("Longest first"),
      limit: pageArguments.limit,
      cursor: pageArguments.cursor,
    },
    { ...acceptedDrivers, ...acceptedRows },
  ),
  outputSchema: compactOutputSchema(COLUMNS),
  run: async (args, context) => {
    const { period, by, sort, limit = DEFAULT_LIMIT, cursor, fields, vehicle, ...chosenBy } = args as unknown as Arguments;
    const { settings, now } = context;
    const from = readCursor(cursor, Cursor);
    // Later pages keep the window of the first page.
    const given = readPeriod(period, now(), settings.timeZone);
    const times = timesOf(context);
    const window: Period = from
      ? { start: from[0], end: from[1], text: `unchanged, in ${times.zone}: ${times.text(from[0])} to ${times.text(from[1])}` }
      : given;
    const fleet = await readFleet(context);
    const chosen = await chosenDrivers(chosenBy, fleet);
    const all = await driversByKey(fleet);
    const query = tachoPeriod(window.start, window.end);
    const only = vehicle === undefined ? undefined : await registeredVehicles(vehicle, context);
    const { wanted } = chosen;
    const { records: read, unplaced } = await recordsOf(wanted, query, query, context, only && { registrations: only.registrations });
    const records = only ? inVehicles(read, only.registrations) : read;
    const words = wordsOf(settings);
    const windows =
      by === "day"
        ? daysIn({ ...window, end: Math.min(window.end, Math.max(now(), window.start + 1)) }, times)
        : [{ day: undefined, window }];
    const noun: Noun = by === "day" ? ["driver's day", "drivers' days"] : ["driver", "drivers"];
    const counted: Worked[] = [];
    const worked: Worked[] = [];
    await forEachInSlices(records, (record) => {
      const timeIn = workedTimes(record.activities, words, now());
      const all = windows.map((one): Worked => ({ record, ...one, time: timeIn(one.window) }));
      worked.push(...all.filter(({ time }) => hasWorked(time)));
      counted.push(all.find(({ time }) => hasWorked(time)) ?? (all[0] as Worked));
    });
    const columns = driverColumns(all, fleet);
    const recorded = counted.filter(({ time }) => hasWorked(time) || time.unread > 0).map(({ record }) => record);
    const keyOf = (one: Worked) => [
      -sortValue(one, sort),
      singleLine(columns.nameOf(one.record), 40),
      singleLine(`${one.record.driverId ?? ""} ${one.day ?? ""}`.trim(), 42),
    ];
    const page = await rowsAfter(worked, { keyOf }, { carried: [window.start, window.end], last: from?.slice(2) }, limit);
    const rows = page.rows.map((one) =>
      rowOf(one, { ...columns.rowOf(one.record), driver: columns.nameOf(one.record) }, formatIn(one.window, times)),
    );
    const brief = rows.length > MAX_DETAILED ? briefColumns(sort) : DETAILED;
    const left = DETAILED.filter((field) => !brief.includes(field) && rows.some((row) => row[field] !== undefined));
    const asked = fieldList(fields);
    const requested = asked && requestedFields(asked, { fields: Object.keys(COLUMNS), shape: {} });
    return listResult({
      what: noun,
      rows,
      total: worked.length,
      fields: requested?.fields ?? brief,
      isRequested: requested !== undefined,
      next: page.next,
      notes: [
        ...(requested?.notes ?? []),
        ...chosen.notes,
        ...(requested || left.length === 0
          ? []
          : [`Not shown of more than ${MAX_DETAILED} drivers: ${left.join(", ")}; request them as fields.`]),
        ...(only?.notesOn(records, wanted === undefined) ?? []),
        // Most drivers have nothing to do with the vehicle.
        ...(only && !wanted ? [] : withoutData(wanted?.drivers ?? [...all.values()], hasRecordIn(recorded), !wanted)),
        ...unplacedNote(unplaced),
        `Period ${singleLine(window.text, 140)}.`,
        `Drivers' shifts clipped to it, times in ${times.zone}, durations in h:mm.`,
        ...totalNotes(worked, by),
        ...unknownWordNotes(worked),
        ...unreadNotes(counted, columns.nameOf),
        ...unendedNotes(records, columns.nameOf, times),
      ],
      times,
    });
  },
};

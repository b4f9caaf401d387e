import { operations, type RowQuery } from "@fleetwire/core";
import * as z from "zod";
import { type TachoRecord, wordsOf } from "../fleet/activity-words.ts";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { acceptedDrivers, type ChosenBy, driverArguments, vehicleArgument } from "../lookup/chosen-drivers.ts";
import { labelsOf } from "../lookup/find-entities.ts";
import { type TachoQuestion, tachoQuestion } from "../past/tacho-question.ts";
import { compactOutputSchema, type Row } from "../query/list-result.ts";
import { type ListArguments, listOf } from "../query/list-tool.ts";
import { rowColumns } from "../query/row-columns.ts";
import { MAX_DETAILED } from "../query/shown-columns.ts";
import { acceptedRows, pageArguments, toolInput } from "../query/tool-input.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { DAY, dateOf, dayIn } from "../text/calendar-days.ts";
import { quotation, singleLine } from "../text/clip-values.ts";
import { pluralize } from "../text/pluralize.ts";
import { carriedSpan, PERIOD, periodOf, type Span } from "../text/read-period.ts";
import { dayAndTime, hoursAndMinutes, timesOf, type ZonedTimes } from "../text/time.ts";
import { type WorkedTime, workedTimes } from "./summarize-driver-activity-time.ts";

const SORTS = ["driving", "work", "shift"] as const;

interface Arguments extends ChosenBy {
  period: string;
  by?: "day";
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

const DETAILED = Object.keys(COLUMNS).filter((field) => !["driverId", "driverKey"].includes(field));
/** Longer lists have a single figure a row, that by which they are sorted. */
const briefColumns = (sort = "driving") => ["driver", "day", "shiftStart", "shiftEnd", sort, "other"];
/** A shift says little without the figure. */
const ROW_TOKENS = 35;
const orderBy = (by: Arguments["by"]): Pick<RowQuery, "order" | "ties"> => ({ order: "driver", ties: ["driver", by ?? "driverId"] });
const columns = rowColumns({});

interface Worked {
  record: TachoRecord;
  /** The day, if each is a row. */
  day: string | undefined;
  window: Span;
  time: WorkedTime;
}

const shiftLength = ({ shifts }: WorkedTime) => shifts.reduce((sum, { start, end }) => sum + end - start, 0);

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
function unreadNotes(counted: readonly Worked[], nameOf: TachoQuestion["nameOf"]): string[] {
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
  run: ({ sort, ...args }: ListArguments, context) =>
    listOf(
      { ...args, ...(sort !== undefined && { sort: `-${sort}` }) },
      {
        order: orderBy(args["by"] as Arguments["by"]),
        carried: carriedSpan,
        read: async (_, others, before) => {
          const { period, by, vehicle, ...chosenBy } = others as unknown as Arguments;
          const { settings, now } = context;
          const times = timesOf(context);
          const window = periodOf(period, before, times, settings.timeZone);
          const question = await tachoQuestion({ ...chosenBy, inVehicle: vehicle }, context);
          const found = await question.read(window);
          const words = wordsOf(settings);
          const until = Math.min(window.end, Math.max(now(), window.start + 1));
          const windows = by === "day" ? daysIn({ start: window.start, end: until }, times) : [{ day: undefined, window }];
          const counted: Worked[] = [];
          const worked: Worked[] = [];
          await forEachInSlices(found.records, (record) => {
            const timeIn = workedTimes(record.activities, words, now());
            const all = windows.map((one): Worked => ({ record, ...one, time: timeIn(one.window) }));
            worked.push(...all.filter(({ time }) => hasWorked(time)));
            counted.push(all.find(({ time }) => hasWorked(time)) ?? (all[0] as Worked));
          });
          const recorded = counted.filter(({ time }) => hasWorked(time) || time.unread > 0).map(({ record }) => record);
          const named = ({ record }: Worked) => ({ ...question.rowOf(record), driver: singleLine(question.nameOf(record), 40) });
          const rows = worked.map((one) => rowOf(one, named(one), formatIn(one.window, times)));
          return {
            carried: [window.start, window.end],
            rows: {
              noun: by === "day" ? ["driver's day", "drivers' days"] : ["driver", "drivers"],
              rows,
              fields: Object.keys(COLUMNS),
              shape: {},
              rowTokens: ROW_TOKENS,
              naming: "driver",
              columns,
              defaultFields: rows.length > MAX_DETAILED ? briefColumns(sort) : DETAILED,
              moreFields: DETAILED,
              notes: [
                ...question.notesOn(found, recorded),
                `Period ${singleLine(window.text, 140)}.`,
                `Drivers' shifts clipped to it, times in ${times.zone}, durations in h:mm.`,
                ...totalNotes(worked, by),
                ...unknownWordNotes(worked),
                ...unreadNotes(counted, question.nameOf),
              ],
            },
          };
        },
      },
      context,
    ),
};

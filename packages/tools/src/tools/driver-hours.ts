import { operations } from "@fleetwire/core";
import type { DrivingTime, Range } from "@fleetwire/driving-time";
import * as z from "zod";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import { hasRecordIn } from "../fleet/tacho-records.ts";
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
import { readCursor } from "../query/cursor.ts";
import { rowsAfter } from "../query/keyset.ts";
import { compactOutputSchema, listResult, type Row } from "../query/list-result.ts";
import { acceptedRows, DEFAULT_LIMIT, type ListArguments, listArguments, toolInput } from "../query/tool-input.ts";
import { singleLine } from "../text/clip-values.ts";
import { quotation } from "../text/quotation.ts";
import { hoursAndMinutes, timesOf, type ZonedTimes } from "../text/time.ts";
import { driverColumns, usualColumns } from "./driver-columns.ts";
import { type DriverHours, readHours } from "./hours-left.ts";

interface Arguments extends ListArguments, ChosenBy {}

/** The columns, with the meaning of those whose names do not explain it. */
const COLUMNS = {
  driver: "",
  vehicle: "",
  group: "",
  activity: "",
  leftNow: "before the next break or rest",
  leftToday: "of 9:00",
  leftTodayExtended: "of 10:00, if available",
  leftWeek: "of 56:00",
  leftFortnight: "of 90:00 in this week and the last",
  drivenSinceBreak: "",
  drivenToday: "",
  drivenWeek: "",
  drivenFortnight: "",
  rest: "in progress, or the last one before the shift",
  breakNeeded: "",
  dailyRestBy: "",
  weeklyRestBy: "",
  driverId: "",
};

const BRIEF = ["driver", "vehicle", "leftNow", "leftToday", "leftWeek"];
const DETAILED = Object.keys(COLUMNS).filter((field) => !["breakNeeded", "driverId"].includes(field));

/** Formats a duration; a range if gaps in the data leave it uncertain. */
function hours({ atLeast, atMost }: Range): string {
  if (atLeast === atMost) return hoursAndMinutes(atLeast);
  return Number.isFinite(atMost) ? `${hoursAndMinutes(atLeast)}–${hoursAndMinutes(atMost)}` : `${hoursAndMinutes(atLeast)} or more`;
}

/** Returns the earliest of the instants that are possible; undefined if the data does not say. */
const instant = ({ atLeast }: Range) => (Number.isFinite(atLeast) ? new Date(atLeast).toISOString() : undefined);

function restOf({ rest: { current, last } }: DrivingTime): string | undefined {
  if (current.atMost > 0) return `resting ${hours(current)}`;
  return last && `${hours(last)} before shift`;
}

function rowOf(time: DrivingTime, named: Row): Row {
  const { by } = time.dailyRest;
  // A time in the past would look like a missed deadline, although the rest in progress began in time.
  const isKept = by.atLeast <= time.at && time.at - time.rest.current.atLeast <= by.atLeast;
  return {
    ...named,
    activity: time.activity,
    leftNow: hours(time.left.now),
    leftToday: hours(time.left.today),
    leftTodayExtended: hours(time.left.extended),
    leftWeek: hours(time.week.left),
    leftFortnight: hours(time.fortnight.left),
    drivenSinceBreak: hours(time.sinceBreak.driven),
    drivenToday: hours(time.day.driven),
    drivenWeek: hours(time.week.driven),
    drivenFortnight: hours(time.fortnight.driven),
    rest: restOf(time),
    breakNeeded: hours(time.sinceBreak.breakNeeded),
    dailyRestBy: isKept ? undefined : instant(by),
    weeklyRestBy: instant(time.weeklyRest.by),
  };
}

/** The content of a cursor: the time of the first page, then what is left today and now, the name and the id of the last row shown, and its index. */
const Place = z.tuple([z.number(), z.number(), z.number(), z.string(), z.string(), z.int()]);

const isUncertain = ({ left: { now, today } }: DrivingTime) => now.atLeast !== now.atMost || today.atLeast !== today.atMost;

function notesOf(hoursOf: readonly DriverHours[], nameOf: (one: DriverHours) => string, at: number, times: ZonedTimes): string[] {
  const without = hoursOf.filter(({ time }) => !time);
  const words = [...new Set(without.flatMap(({ unknownWords }) => unknownWords))].slice(0, 5);
  return [
    `Drivers' driving time left under Regulation (EC) 561/2006, h:mm, at ${times.text(at)} ${times.zone}; most left first.`,
    ...(hoursOf.some(({ time }) => time && isUncertain(time)) ? ["Ranges: gaps in the data, which may be driving or rest."] : []),
    "Not considered: entries not yet downloaded or made by hand, ferry and team rules, exceptions. Not proof that driving is legal.",
    ...(without.length > 0
      ? [
          `No figures for ${without.slice(0, 5).map(nameOf).join(", ")}${without.length > 5 ? ` and ${without.length - 5} more` : ""}: not in FLEET_ACTIVITY_WORDS: ${words.map((word) => quotation(word, 30)).join(", ")}`,
        ]
      : []),
  ];
}

export const driverHoursTool: ReadTool = {
  name: "driver_hours",
  title: "Driver hours",
  description: "Driving time left under EU rules, most first: before a break, today, this week; rests due.",
  effect: "read",
  operations: [operations.listLivePositions, operations.queryTachoActivity],
  ...toolInput(
    { ...driverArguments, vehicle: vehicleArgument, limit: listArguments.limit, cursor: listArguments.cursor },
    { ...acceptedDrivers, ...acceptedRows },
  ),
  outputSchema: compactOutputSchema(COLUMNS),
  run: async (args, context) => {
    const { limit = DEFAULT_LIMIT, cursor, fields, ...chosenBy } = args as unknown as Arguments;
    const { now } = context;
    const from = readCursor(cursor, Place);
    // Later pages use the time of the first page, so that the order stays the same.
    const at = from?.[0] ?? now();
    const fleet = await readFleet(context);
    const chosen = await chosenDrivers(chosenBy, fleet);
    const all = await driversByKey(fleet);
    const { hours: hoursOf, unplaced } = await readHours(chosen.wanted, at, context);
    const columns = driverColumns(all);
    const nameOf = ({ record }: DriverHours) => columns.nameOf(record);
    const known = hoursOf.flatMap(({ record, time }) => (time ? [{ record, time }] : []));
    const keyOf = ({ record, time: { left } }: (typeof known)[number]) => [
      -left.today.atLeast,
      -left.now.atLeast,
      singleLine(columns.nameOf(record), 40),
      singleLine(record.driverId ?? "", 30),
    ];
    const page = await rowsAfter(known, { keyOf }, { carried: [at], last: from?.slice(1) }, limit);
    const times = timesOf(context);
    const rows = page.rows.map(({ record, time }) => rowOf(time, columns.rowOf(record)));
    const usual = usualColumns(rows, DETAILED, BRIEF);
    return listResult(
      {
        what: ["driver", "drivers"],
        rows,
        total: known.length,
        isCompact: true,
        fields: Object.keys(COLUMNS),
        defaultFields: usual.defaultFields,
        next: page.next,
        notes: [
          ...chosen.notes,
          ...(fields?.length ? [] : usual.left),
          ...unplacedNote(unplaced),
          ...withoutData(chosen.wanted?.drivers ?? [...all.values()], hasRecordIn(hoursOf.map(({ record }) => record)), !chosen.wanted),
          ...notesOf(hoursOf, nameOf, at, times),
        ],
        times,
      },
      { fields },
    );
  },
};

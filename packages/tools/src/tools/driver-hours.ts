import { operations, type RowQuery } from "@fleetwire/core";
import type { DrivingTime, Range } from "@fleetwire/driving-time";
import * as z from "zod";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { acceptedDrivers, type ChosenBy, driverArguments, vehicleArgument } from "../lookup/chosen-drivers.ts";
import { type DriverHours, hoursInRange, namesOf, readHours, unreadNotes } from "../past/driving-rules.ts";
import { type TachoQuestion, tachoQuestion } from "../past/tacho-question.ts";
import { compactOutputSchema, type Row } from "../query/list-result.ts";
import { acceptedList, listArguments, listOf } from "../query/list-tool.ts";
import { rowColumns } from "../query/row-columns.ts";
import { toolInput } from "../query/tool-input.ts";
import { timesOf, type ZonedTimes } from "../text/time.ts";

/** The columns, with the meaning of those whose names do not explain it. */
const COLUMNS = {
  driver: "",
  vehicle: "",
  group: "",
  activity: "",
  atWork: "not resting for an hour or more",
  shiftStart: "",
  leftNow: "before the next break or rest",
  leftToday: "of 9:00",
  limitedBy: "what leftToday depends on",
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

const BRIEF = ["driver", "vehicle", "leftNow", "leftToday", "limitedBy", "shiftStart", "leftWeek"];
const DETAILED = Object.keys(COLUMNS).filter((field) => !["breakNeeded", "driverId", "atWork"].includes(field));

/** What is left says little without its limit. */
const ROW_TOKENS = 35;

const HOUR = 3_600_000;

/** Returns the earliest of the instants that are possible; undefined if the data does not say. */
const instant = ({ atLeast }: Range) => (Number.isFinite(atLeast) ? new Date(atLeast).toISOString() : undefined);

function restOf({ rest: { current, last } }: DrivingTime): string | undefined {
  if (current.atMost > 0) return `resting ${hoursInRange(current)}`;
  return last && `${hoursInRange(last)} before shift`;
}

/** Whether a driver is on a shift, as far as is known: at work, or on a break. */
const isAtWork = ({ activity, rest: { current } }: DrivingTime) => activity !== "unknown" && current.atMost < HOUR;

/** Names what `leftToday` depends on, and whether it is over. */
function limitOf(time: DrivingTime): string {
  const { at, day, week, fortnight, dailyRest, weeklyRest } = time;
  const limits = [
    { left: weeklyRest.by.atLeast - at, over: "weekly rest due", next: "weekly rest" },
    { left: fortnight.left.atLeast, over: "90 h driven", next: "90 h" },
    { left: week.left.atLeast, over: "56 h driven", next: "56 h" },
    { left: day.left.atLeast, over: "9 h driven", next: "9 h" },
    { left: dailyRest.regularBy.atLeast - at, over: isAtWork(time) ? "daily rest due" : "shift over", next: "daily rest" },
  ];
  const reached = limits.find(({ left }) => left <= 0);
  return reached?.over ?? limits.reduce((least, limit) => (limit.left < least.left ? limit : least)).next;
}

function rowOf(time: DrivingTime, named: Row): Row {
  const { by } = time.dailyRest;
  // A time in the past would look like a missed deadline, although the rest in progress began in time.
  const isKept = by.atLeast <= time.at && time.at - time.rest.current.atLeast <= by.atLeast;
  return {
    ...named,
    activity: time.activity,
    atWork: isAtWork(time),
    shiftStart: isAtWork(time) && time.day.shiftStart.atLeast === time.day.shiftStart.atMost ? instant(time.day.shiftStart) : undefined,
    leftNow: hoursInRange(time.left.now),
    leftToday: hoursInRange(time.left.today),
    limitedBy: limitOf(time),
    leftTodayExtended: hoursInRange(time.left.extended),
    leftWeek: hoursInRange(time.week.left),
    leftFortnight: hoursInRange(time.fortnight.left),
    drivenSinceBreak: hoursInRange(time.sinceBreak.driven),
    drivenToday: hoursInRange(time.day.driven),
    drivenWeek: hoursInRange(time.week.driven),
    drivenFortnight: hoursInRange(time.fortnight.driven),
    rest: restOf(time),
    breakNeeded: hoursInRange(time.sinceBreak.breakNeeded),
    dailyRestBy: isKept ? undefined : instant(by),
    weeklyRestBy: instant(time.weeklyRest.by),
  };
}

const isUncertain = ({ left: { now, today } }: DrivingTime) => now.atLeast !== now.atMost || today.atLeast !== today.atMost;

function notesOf(hoursOf: readonly DriverHours[], nameOf: TachoQuestion["nameOf"], at: number, times: ZonedTimes): string[] {
  const contradicted = hoursOf.filter(({ time }) => time?.doubts.some(({ kind }) => kind === "contradiction"));
  return [
    `Drivers' driving time left under Regulation (EC) 561/2006, h:mm, at ${times.text(at)} ${times.zone}.`,
    ...(hoursOf.some(({ time }) => time && isUncertain(time)) ? ["Ranges: gaps in the data, which may be driving or rest."] : []),
    "Not considered: entries not yet downloaded or made by hand, ferry rules, longer days of teams, exceptions. Not proof that driving is legal.",
    ...(contradicted.length === 0 ? [] : [`Contradictory entries, of which the stricter count: ${namesOf(contradicted, nameOf)}.`]),
    ...unreadNotes(hoursOf, "No figures for", nameOf),
  ];
}

const ORDER: Pick<RowQuery, "order" | "ties"> = { order: "-atWork", ties: ["leftToday", "driver"] };

const columns = rowColumns({});

export const driverHoursTool: ReadTool = {
  name: "driver_hours",
  title: "Driver hours",
  description: "Driving time left under EU rules, least first: before a break, today, this week; rests due.",
  effect: "read",
  operations: [operations.listLivePositions, operations.queryTachoActivity],
  ...toolInput(
    { ...driverArguments, vehicle: vehicleArgument, ...listArguments("leftToday<2:00") },
    { ...acceptedDrivers, ...acceptedList },
  ),
  outputSchema: compactOutputSchema(COLUMNS),
  run: (args, context) =>
    listOf(
      args,
      {
        order: ORDER,
        carried: [z.number()],
        read: async (_, chosenBy: ChosenBy, before) => {
          // Later pages use the time of the first page, so that the order stays the same.
          const at = typeof before?.[0] === "number" ? before[0] : context.now();
          const question = await tachoQuestion(chosenBy, context);
          const { hours, unplaced } = await readHours(question.wanted, at, context);
          const records = hours.map(({ record }) => record);
          const rows = hours.flatMap(({ record, time }) => (time ? [rowOf(time, question.rowOf(record))] : []));
          return {
            carried: [at],
            rows: {
              noun: ["driver", "drivers"],
              rows,
              rowTokens: ROW_TOKENS,
              fields: Object.keys(COLUMNS),
              shape: {},
              naming: "driver",
              columns,
              defaultFields: BRIEF,
              moreFields: DETAILED,
              notes: [...question.notesOn({ records, unplaced }), ...notesOf(hours, question.nameOf, at, timesOf(context))],
            },
          };
        },
      },
      context,
    ),
};

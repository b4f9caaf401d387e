import type { OperationName } from "@fleetwire/core";
import type { DrivingTime } from "@fleetwire/driving-time";
import * as z from "zod";
import type { Position } from "../fleet/position.ts";
import type { Row } from "../query/list-result.ts";
import { durationInWords } from "../text/time.ts";
import { isLate } from "./jobs.ts";
import { type Area, isInside, type Reading, type Sides } from "./place-areas.ts";

const MINUTE = 60_000;

export const name = z.string().trim().min(1).max(200);
export const minutes = z
  .number()
  .positive()
  .max(7 * 24 * 60);
const percent = z.number().min(1).max(100);
const METRES = { min: 50, max: 100_000 };

/** Where: exactly one of a location, a town, a circle and the surroundings of another vehicle. */
const place = z.union(
  [
    z.strictObject({ location: name }),
    z.strictObject({ town: name }),
    z.strictObject({
      lat: z.number().min(-90).max(90),
      lng: z.number().min(-180).max(180),
      radiusMetres: z.number().min(METRES.min).max(METRES.max),
    }),
    z.strictObject({ vehicle: name, radiusMetres: z.number().min(METRES.min).max(METRES.max).default(200) }),
  ],
  { error: 'must be {"location": ...}, {"town": ...}, {"lat", "lng", "radiusMetres"} or {"vehicle": ...}' },
);

export type Place = z.output<typeof place>;

/** What a record of each kind is read from. */
interface Records {
  position: Position;
  faults: unknown;
  hours: DrivingTime;
  job: Row;
}

export type Source = keyof Records;

/** The lists that are read besides the live positions. */
const FURTHER: Readonly<Record<Source, readonly OperationName[]>> = {
  position: [],
  faults: ["listVehicleFaults"],
  hours: ["queryTachoActivity"],
  job: ["listJobs"],
};

/** What a reading may use besides the record. */
interface ReadingContext {
  area: Area | undefined;
  track: Sides | undefined;
  vehicleById: (id: string) => Position | undefined;
}

interface Condition<From extends Source, Fields extends z.ZodRawShape> {
  /** @default "position" */
  source?: From;
  /** The fields that its rules have besides the common ones; the first is what it is mainly about. */
  fields: Fields;
  /** Says what the rule waits for, as in "when Van 1 arrives at Lyon Depot". */
  present: (rule: z.output<z.ZodObject<Fields>>, place: string) => string;
  /** Says what happened. @default the same */
  past?: (rule: z.output<z.ZodObject<Fields>>, place: string) => string;
  reading: (record: Records[From], rule: z.output<z.ZodObject<Fields>>, context: ReadingContext) => Reading;
  /** Whether the minutes for which the condition must hold are counted between records; otherwise, they pass without one. */
  isHeldByRecords?: true;
  /** Whether every record begins the condition anew. */
  restarts?: true;
  /** Whether it says how something is, not what has changed: it counts however it began, if a vehicle, driver or job appears later than the watch. */
  isState?: true;
  /** The fields of the record that show why. */
  shows: readonly string[];
}

/** Its type shows the fields alone, as the types of rules do. */
const condition = <Fields extends z.ZodRawShape, From extends Source = "position">(one: Condition<From, Fields>): { fields: Fields } => one;

const forMinutes = ({ forMinutes: length }: { forMinutes?: number | undefined }) =>
  length === undefined ? "" : ` for ${durationInWords(length * MINUTE)}`;

/** Above the limit, the level has to rise by this much before it can fall below it again. */
const LEVEL_MARGIN = 5;
const SPEED_MARGIN = 3;
const MINUTES_MARGIN = 15;

const below = (level: number | undefined, limit: number, margin: number): Reading => {
  if (level === undefined || !Number.isFinite(level)) return undefined;
  if (level < limit) return true;
  return level >= limit + margin ? false : undefined;
};

const inArea = (position: Position, _: unknown, { area, track, vehicleById }: ReadingContext): Reading =>
  area && isInside(position, area, track ?? {}, vehicleById);
const inverted = (reading: Reading): Reading => (reading === undefined ? undefined : !reading);

const WHERE = ["latitude", "longitude", "locationName", "city", "country"];

const conditions = {
  arrives: condition({
    fields: { at: place, forMinutes: minutes.optional() },
    present: (rule, at) => `arrives at ${at}${forMinutes(rule).replace("for", "and stays for")}`,
    past: (_, at) => `arrived at ${at}`,
    reading: inArea,
    shows: WHERE,
  }),
  leaves: condition({
    fields: { at: place, forMinutes: minutes.optional() },
    present: (rule, at) => `leaves ${at}${forMinutes(rule)}`,
    past: (_, at) => `left ${at}`,
    reading: (...read) => inverted(inArea(...read)),
    shows: WHERE,
  }),
  entersCountry: condition({
    fields: { country: name },
    present: (_, country) => `enters ${country}`,
    past: (_, country) => `entered ${country}`,
    reading: inArea,
    shows: WHERE,
  }),
  starts: condition({
    fields: {},
    present: () => "starts driving after a stop",
    past: () => "started driving",
    // Idling is neither: vehicles wait at traffic lights, and some idle before they leave.
    reading: ({ eventType }) => (eventType === "driving" ? true : eventType === "stopped" ? false : undefined),
    shows: [...WHERE, "eventType", "speed"],
  }),
  stops: condition({
    fields: { forMinutes: minutes },
    present: (rule) => `stops${forMinutes(rule)}`,
    past: (rule) => `has stood still${forMinutes(rule)}`,
    reading: ({ eventType }) => (eventType === "stopped" || eventType === "idling" ? true : eventType === "driving" ? false : undefined),
    shows: [...WHERE, "eventType"],
  }),
  silent: condition({
    fields: { forMinutes: minutes },
    present: (rule) => `sends nothing${forMinutes(rule)}`,
    past: (rule) => `has sent nothing${forMinutes(rule)}`,
    reading: () => true,
    restarts: true,
    isState: true,
    shows: WHERE,
  }),
  speedOver: condition({
    fields: { kmh: z.number().positive().max(250), forMinutes: minutes.optional() },
    present: (rule) => `drives faster than ${rule.kmh} km/h${forMinutes(rule)}`,
    past: (rule) => `drove faster than ${rule.kmh} km/h${forMinutes(rule)}`,
    reading: ({ speed }, { kmh }) => {
      if (speed === undefined) return undefined;
      return speed > kmh ? true : speed <= kmh - SPEED_MARGIN ? false : undefined;
    },
    isHeldByRecords: true,
    isState: true,
    shows: ["speed", ...WHERE],
  }),
  fuelBelow: condition({
    fields: { percent },
    present: (rule) => `has less than ${rule.percent}% fuel`,
    reading: ({ fuelLevelPercentage: level }, rule) => below(level, rule.percent, LEVEL_MARGIN),
    isState: true,
    shows: ["fuelLevelPercentage"],
  }),
  batteryBelow: condition({
    fields: { percent },
    present: (rule) => `has less than ${rule.percent}% battery`,
    reading: ({ electricBatteryLevelPercent: level }, rule) => below(level, rule.percent, LEVEL_MARGIN),
    isState: true,
    shows: ["electricBatteryLevelPercent"],
  }),
  chargingEnds: condition({
    fields: {},
    present: () => "stops charging",
    past: () => "stopped charging",
    reading: ({ electricCharging }) => inverted(electricCharging),
    shows: ["electricBatteryLevelPercent"],
  }),
  faultBegins: condition({
    source: "faults",
    fields: { code: name.optional(), lamp: name.optional() },
    present: ({ code, lamp }) => `has a new fault${code ? ` ${code}` : ""}${lamp ? ` with the lamp ${lamp}` : ""}`,
    past: () => "has a new fault",
    // Its faults are compared with those before.
    reading: () => undefined,
    shows: [],
  }),
  becomesPrivate: condition({
    fields: {},
    present: () => "begins a private journey",
    past: () => "began a private journey",
    reading: ({ privacy }) => privacy === true,
    shows: [],
  }),
  driveTimeLeftBelow: condition({
    source: "hours",
    fields: { minutes },
    present: (rule) => `may have less than ${durationInWords(rule.minutes * MINUTE)} of driving left today`,
    reading: ({ left }, rule) => below(left.today.atLeast / MINUTE, rule.minutes, MINUTES_MARGIN),
    isState: true,
    shows: ["leftToday"],
  }),
  breakDueIn: condition({
    source: "hours",
    fields: { minutes },
    present: (rule) => `needs a break after less than ${durationInWords(rule.minutes * MINUTE)} of driving`,
    reading: ({ sinceBreak }, rule) => below(sinceBreak.left.atLeast / MINUTE, rule.minutes, MINUTES_MARGIN),
    isState: true,
    shows: ["leftNow"],
  }),
  shiftEnds: condition({
    source: "hours",
    fields: { withinMinutes: minutes },
    present: ({ withinMinutes }) => `must begin the daily rest within ${durationInWords(withinMinutes * MINUTE)}`,
    // During a rest, the time is as if the rest ended now.
    reading: ({ activity, dailyRest: { by }, at }, { withinMinutes }) =>
      activity === "rest" ? false : below((by.atLeast - at) / MINUTE, withinMinutes, MINUTES_MARGIN),
    isState: true,
    shows: ["dailyRestBy"],
  }),
  jobLate: condition({
    source: "job",
    fields: {},
    present: () => "is expected after the arrival window of a job",
    past: () => "is expected after the arrival window",
    reading: isLate,
    isState: true,
    shows: ["eta", "arrivalWindowEnd", "status"],
  }),
};

export type When = keyof typeof conditions;

export type FieldsOf<W extends When> = (typeof conditions)[W]["fields"];

export const conditionNames = Object.keys(conditions) as When[];

interface AnyCondition extends Omit<Condition<Source, z.ZodRawShape>, "source" | "present" | "past" | "reading"> {
  source: Source;
  present: (rule: { when: When }, place: string) => string;
  past: (rule: { when: When }, place: string) => string;
  reading: (record: unknown, rule: { when: When }, context: ReadingContext) => Reading;
}

const COMPLETE = Object.fromEntries(
  Object.entries(conditions as unknown as Readonly<Record<When, AnyCondition>>).map(([when, one]) => [
    when,
    { ...one, source: one.source ?? "position", past: one.past ?? one.present },
  ]),
) as Record<When, AnyCondition>;

/** The condition of a rule. */
export const conditionOf = ({ when }: { when: When }): AnyCondition => COMPLETE[when];

/** The operations that are read for a condition. */
export const operationsOf = (when: When): readonly OperationName[] => ["listLivePositions", ...FURTHER[conditionOf({ when }).source]];

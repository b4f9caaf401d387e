import { parseDateTime } from "@fleetwire/core/internal";
import type { DrivingTime } from "@fleetwire/driving-time";
import type { Position } from "../fleet/position.ts";
import type { Row } from "../query/list-result.ts";
import { durationInWords } from "../text/time.ts";
import { type Area, isInside } from "./place-areas.ts";
import type { WatchRule, When } from "./rules.ts";
import type { Reading, Track } from "./tracks.ts";

const MINUTE = 60_000;

/** What a record of each kind is read from. */
interface Records {
  position: Position;
  faults: { code: string; lamps: readonly string[]; startDate: string }[];
  hours: DrivingTime;
  job: Row;
}

export type Source = keyof Records;

/** What a reading may use besides the record. */
interface ReadingContext {
  area: Area | undefined;
  track: Track | undefined;
  vehicleById: (id: string) => Position | undefined;
}

type RuleOf<W extends When> = Extract<WatchRule, { when: W }>;

interface Condition<W extends When> {
  /** What it reports, for whoever chooses a condition. */
  reports: string;
  source: Source;
  /** Says what the rule waits for, as in "when Van 1 arrives at Lyon Depot". */
  present: (rule: RuleOf<W>, place: string) => string;
  /** Says what happened. */
  past: (rule: RuleOf<W>, place: string) => string;
  reading: (record: never, rule: RuleOf<W>, context: ReadingContext) => Reading;
  /** Whether the minutes for which the condition must hold are counted between records; otherwise, they pass without one. */
  isHeldByRecords?: true;
  /** Whether every record begins the condition anew. */
  restarts?: true;
  /** Whether it says how something is, not what has changed: it counts however it began, if a vehicle, driver or job appears later than the watch. */
  isState?: true;
  /** The fields of the record that show why. */
  shows: readonly string[];
}

const forMinutes = ({ forMinutes: minutes }: { forMinutes?: number | undefined }) =>
  minutes === undefined ? "" : ` for ${durationInWords(minutes * MINUTE)}`;

/** Above the limit, the level has to rise by this much before it can fall below it again. */
const LEVEL_MARGIN = 5;
const SPEED_MARGIN = 3;
const MINUTES_MARGIN = 15;

const below = (level: number | undefined, limit: number, margin: number): Reading => {
  if (level === undefined || !Number.isFinite(level)) return undefined;
  if (level < limit) return true;
  return level >= limit + margin ? false : undefined;
};

const inArea = (position: Position, { area, track, vehicleById }: ReadingContext): Reading =>
  area && isInside(position, area, track ?? {}, vehicleById);
const inverted = (reading: Reading): Reading => (reading === undefined ? undefined : !reading);

const WHERE = ["latitude", "longitude", "locationName", "city", "country"];
const ENDED = new Set(["VISITED", "CANCELLED", "MISSED", "INCOMPLETE"]);

/** Whether a job is expected after its arrival window. */
export function isLate(job: Row): Reading {
  const [eta, end] = [parseDateTime(job["eta"]), parseDateTime(job["arrivalWindowEnd"])];
  if (eta === undefined || end === undefined || ENDED.has(String(job["status"]))) return undefined;
  return eta > end;
}

const conditions: { [W in When]: Condition<W> } = {
  arrives: {
    reports: "A vehicle comes to a place, or has been there for so long",
    source: "position",
    present: (rule, place) => `arrives at ${place}${forMinutes(rule).replace("for", "and stays for")}`,
    past: (_, place) => `arrived at ${place}`,
    reading: (position: Position, _, context) => inArea(position, context),
    shows: WHERE,
  },
  leaves: {
    reports: "A vehicle leaves a place, or has been away for so long",
    source: "position",
    present: (rule, place) => `leaves ${place}${forMinutes(rule)}`,
    past: (_, place) => `left ${place}`,
    reading: (position: Position, _, context) => inverted(inArea(position, context)),
    shows: WHERE,
  },
  entersCountry: {
    reports: "A vehicle crosses a border into a country",
    source: "position",
    present: (_, place) => `enters ${place}`,
    past: (_, place) => `entered ${place}`,
    reading: (position: Position, _, context) => inArea(position, context),
    shows: WHERE,
  },
  starts: {
    reports: "A vehicle drives after it was stopped; idling is neither",
    source: "position",
    present: () => "starts driving after a stop",
    past: () => "started driving",
    // Idling is neither: vehicles wait at traffic lights, and some idle before they leave.
    reading: ({ eventType }: Position) => (eventType === "driving" ? true : eventType === "stopped" ? false : undefined),
    shows: [...WHERE, "eventType", "speed"],
  },
  stops: {
    reports: "A vehicle has stood still for so long",
    source: "position",
    present: (rule) => `stops${forMinutes(rule)}`,
    past: (rule) => `has stood still${forMinutes(rule)}`,
    reading: ({ eventType }: Position) =>
      eventType === "stopped" || eventType === "idling" ? true : eventType === "driving" ? false : undefined,
    shows: [...WHERE, "eventType"],
  },
  silent: {
    reports: "A vehicle has sent nothing for so long",
    source: "position",
    present: (rule) => `sends nothing${forMinutes(rule)}`,
    past: (rule) => `has sent nothing${forMinutes(rule)}`,
    reading: () => true,
    restarts: true,
    isState: true,
    shows: WHERE,
  },
  speedOver: {
    reports: "A vehicle is above a speed; lasting, if two records at most 15 minutes apart show it",
    source: "position",
    present: (rule) => `drives faster than ${rule.kmh} km/h${forMinutes(rule)}`,
    past: (rule) => `drove faster than ${rule.kmh} km/h${forMinutes(rule)}`,
    reading: ({ speed }: Position, { kmh }) => {
      if (speed === undefined) return undefined;
      return speed > kmh ? true : speed <= kmh - SPEED_MARGIN ? false : undefined;
    },
    isHeldByRecords: true,
    isState: true,
    shows: ["speed", ...WHERE],
  },
  fuelBelow: {
    reports: "A tank is low; again only after it was 5% above",
    source: "position",
    present: ({ percent }) => `has less than ${percent}% fuel`,
    past: ({ percent }) => `has less than ${percent}% fuel`,
    reading: ({ fuelLevelPercentage: level }: Position, { percent }) => below(level, percent, LEVEL_MARGIN),
    isState: true,
    shows: ["fuelLevelPercentage"],
  },
  batteryBelow: {
    reports: "A battery is low; again only after it was 5% above",
    source: "position",
    present: ({ percent }) => `has less than ${percent}% battery`,
    past: ({ percent }) => `has less than ${percent}% battery`,
    reading: ({ electricBatteryLevelPercent: level }: Position, { percent }) => below(level, percent, LEVEL_MARGIN),
    isState: true,
    shows: ["electricBatteryLevelPercent"],
  },
  chargingEnds: {
    reports: "A vehicle no longer charges",
    source: "position",
    present: () => "stops charging",
    past: () => "stopped charging",
    reading: ({ electricCharging }: Position) => inverted(electricCharging),
    shows: ["electricBatteryLevelPercent"],
  },
  faultBegins: {
    reports: "A vehicle has a new fault; one that was away for less than 30 minutes is not new",
    source: "faults",
    present: ({ code, lamp }) => `has a new fault${code ? ` ${code}` : ""}${lamp ? ` with the lamp ${lamp}` : ""}`,
    past: () => "has a new fault",
    reading: () => undefined,
    shows: [],
  },
  becomesPrivate: {
    reports: "A private journey begins",
    source: "position",
    present: () => "begins a private journey",
    past: () => "began a private journey",
    reading: ({ privacy }: Position) => privacy === true,
    shows: [],
  },
  driveTimeLeftBelow: {
    reports: "A driver may have less driving left today",
    source: "hours",
    present: ({ minutes }) => `may have less than ${durationInWords(minutes * MINUTE)} of driving left today`,
    past: ({ minutes }) => `may have less than ${durationInWords(minutes * MINUTE)} of driving left today`,
    reading: ({ left }: DrivingTime, { minutes }) => below(left.today.atLeast / MINUTE, minutes, MINUTES_MARGIN),
    isState: true,
    shows: ["leftToday"],
  },
  breakDueIn: {
    reports: "A driver may need a break after less driving",
    source: "hours",
    present: ({ minutes }) => `needs a break after less than ${durationInWords(minutes * MINUTE)} of driving`,
    past: ({ minutes }) => `needs a break after less than ${durationInWords(minutes * MINUTE)} of driving`,
    reading: ({ sinceBreak }: DrivingTime, { minutes }) => below(sinceBreak.left.atLeast / MINUTE, minutes, MINUTES_MARGIN),
    isState: true,
    shows: ["leftNow"],
  },
  shiftEnds: {
    reports: "A driver must begin the daily rest soon",
    source: "hours",
    present: ({ withinMinutes }) => `must begin the daily rest within ${durationInWords(withinMinutes * MINUTE)}`,
    past: ({ withinMinutes }) => `must begin the daily rest within ${durationInWords(withinMinutes * MINUTE)}`,
    // During a rest, the time is as if the rest ended now.
    reading: ({ activity, dailyRest: { by }, at }: DrivingTime, { withinMinutes }) =>
      activity === "rest" ? false : below((by.atLeast - at) / MINUTE, withinMinutes, MINUTES_MARGIN),
    isState: true,
    shows: ["dailyRestBy"],
  },
  jobLate: {
    reports: "A job's eta is after its arrival window, if the list of jobs has both",
    source: "job",
    present: () => "is expected after the arrival window of a job",
    past: () => "is expected after the arrival window",
    reading: (job: Row) => isLate(job),
    isState: true,
    shows: ["eta", "arrivalWindowEnd", "status"],
  },
};

interface AnyCondition extends Omit<Condition<When>, "present" | "past" | "reading"> {
  present: (rule: WatchRule, place: string) => string;
  past: (rule: WatchRule, place: string) => string;
  reading: (record: unknown, rule: WatchRule, context: ReadingContext) => Reading;
}

/** The condition of a rule. */
export const conditionOf = ({ when }: Pick<WatchRule, "when">): AnyCondition => conditions[when] as unknown as AnyCondition;

/** Milliseconds for which the condition must hold. */
export const dwellOf = (rule: WatchRule): number => ("forMinutes" in rule ? (rule.forMinutes ?? 0) * MINUTE : 0);

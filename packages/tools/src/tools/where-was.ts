import { FleetError, operations } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import * as z from "zod";
import { vehicleLabel } from "../fleet/entity-labels.ts";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { whichDriver } from "../lookup/chosen-drivers.ts";
import { questionProperties } from "../names/name-question.ts";
import { type KnownPlaces, knownPlaces } from "../past/known-places.ts";
import { type Day, REACH, type ReadParts, readParts } from "../past/read-parts.ts";
import type { Past, PastVehicle } from "../past/read-past.ts";
import type { RecordedActivity } from "../past/recorded-activities.ts";
import { type Part, pointAt } from "../past/vehicle-trips.ts";
import type { Point } from "../places/geography.ts";
import { toolInput } from "../query/tool-input.ts";
import { singleLine } from "../text/clip-values.ts";
import { assumedIn, INSTANT, readInstant } from "../text/read-period.ts";
import { durationInWords, timesOf, type ZonedTimes } from "../text/time.ts";
import { resultTokens } from "../text/token-budget.ts";

interface Arguments {
  vehicle?: string;
  driver?: string;
  time: string;
}

/** A place and when the vehicle was there. */
interface Known {
  point: Point;
  at: number;
  vehicle: string;
}

interface Found {
  vehicle: PastVehicle;
  finding: Finding;
}

/** What is known of a vehicle at a time; `part` is what it did then. */
type Finding =
  | { result: "stood" | "resting" | "withheld"; part: Part }
  | { result: "driving" | "unrecorded"; before: Known | undefined; after: Known | undefined; part: Part | undefined };

const knownAt = (point: Point | undefined, at: number, vehicle: string): Known | undefined => point && { point, at, vehicle };

type Placed = Pick<Part, "start" | "end" | "from" | "to">;

/** Returns the last place that is known at or before a time, and the first after it. */
function around(placed: readonly { vehicle: PastVehicle; parts: readonly Placed[] }[], time: number) {
  let [before, after]: [Known | undefined, Known | undefined] = [undefined, undefined];
  for (const { vehicle, parts } of placed)
    for (const { start, end, from, to } of parts)
      for (const known of [knownAt(from, start, vehicle.name), knownAt(to, end, vehicle.name)]) {
        if (known && known.at <= time && known.at >= (before?.at ?? Number.NEGATIVE_INFINITY)) before = known;
        if (known && known.at > time && known.at < (after?.at ?? Number.POSITIVE_INFINITY)) after = known;
      }
  return { before, after };
}

/** A drive that goes on, or that nobody ended, has no end that is known. */
const placesOf = (drive: RecordedActivity): Placed => ({
  ...{ start: drive.start, end: drive.end ?? drive.start, from: pointAt("start", drive) },
  to: drive.end === undefined || drive.isUnended ? undefined : pointAt("end", drive),
});

function findingAt(time: number, { vehicle, parts }: Day, { past, days }: ReadParts): Finding {
  const part = parts.find(({ start, end, isOpen }) => start <= time && (time < end || isOpen));
  if (part?.isWithheld) return { result: "withheld", part };
  if (part?.kind === "stop" && part.from) return { result: "stood", part };
  if (part?.kind === "rest") return { result: "resting", part };
  if (part?.kind === "trip") return { result: "driving", ...around([{ vehicle, parts: part.drives.map(placesOf) }], time), part };
  // What a driver did before and after may be in other vehicles. Where somebody rests tells nothing of the vehicle.
  const placed = (past.isOfDriver ? days : [{ vehicle, parts }]).map(({ vehicle, parts }) => ({
    vehicle,
    parts: parts.map((one) => (one.kind === "rest" ? { ...one, to: undefined } : one)),
  }));
  return { result: "unrecorded", ...around(placed, time), part };
}

interface Wording {
  name: string;
  /** The driver who was asked for. */
  who: string;
  time: number;
  times: ZonedTimes;
  places: KnownPlaces;
  past: Past;
}

const NO_PLACE = "a place that was not recorded";

function textOf(finding: Finding, { name, who, time, times, places, past }: Wording): string {
  const at = times.text(time);
  const clock = (instant: number) =>
    times.text(instant).slice(0, 10) === at.slice(0, 10) ? times.text(instant).slice(11) : times.text(instant);
  const place = (known: Known | undefined) =>
    known ? `${places.nameOf(known.point)} (${known.point.latitude.toFixed(5)}, ${known.point.longitude.toFixed(5)})` : NO_PLACE;
  const drivers =
    finding.part && finding.part.drivers.size > 0 ? ` Driver: ${[...finding.part.drivers].map(past.driverName).join(", ")}.` : "";
  const lasting = ({ start, end, isOpen, isCut }: Part) => {
    const since = `from ${clock(start)}${isCut.start ? " or earlier" : ""}`;
    return `${since} ${isOpen ? "and still is" : `until ${clock(end)}${isCut.end ? " or later" : ""}`}`;
  };
  switch (finding.result) {
    case "withheld":
      return `${name} at ${at}: places withheld, since it may have been on a private journey.`;
    case "stood": {
      const { from, start, unrecorded, remarks } = finding.part;
      const gaps = unrecorded > 0 ? ` Nothing is recorded for ${durationInWords(unrecorded)} of it.` : "";
      const odd = remarks.length > 0 ? ` Odd: ${remarks.join("; ")}.` : "";
      return `${name} at ${at}: standing at ${place(knownAt(from, start, name))} ${lasting(finding.part)}.${drivers}${gaps}${odd}`;
    }
    case "resting": {
      const { from, start } = finding.part;
      return `${who} at ${at}: resting ${lasting(finding.part)}; left ${name} at ${place(knownAt(from, start, name))}. Others may have driven it since: ask about the vehicle.`;
    }
    case "driving": {
      const { before, after } = finding;
      const open = finding.part?.isOpen ? ", its next place is not known yet" : ` and ${NO_PLACE}`;
      const next = after ? ` and ${place(after)}, reached at ${clock(after.at)}` : open;
      return `${name} at ${at}: driving between ${place(before)}${before ? `, left at ${clock(before.at)},` : ""}${next}. Nothing is recorded in between.${drivers}`;
    }
    case "unrecorded": {
      const { before, after } = finding;
      const inIt = ({ vehicle }: Known) => (past.isOfDriver ? ` in ${vehicle}` : "");
      const last = before ? `last${inIt(before)} at ${place(before)} at ${clock(before.at)}` : "nothing before";
      const next = after ? `next${inIt(after)} at ${place(after)} at ${clock(after.at)}` : "nothing since";
      if (past.isOfDriver) return `${who} at ${at}: not recorded; ${last}, ${next}.`;
      const what = finding.part?.kind === "stop" ? `standing at ${NO_PLACE}` : "not recorded";
      return `${name} at ${at}: ${what}; ${last}, ${next}.`;
    }
  }
}

const recordOf = (known: Known | undefined, { times, places }: Wording) =>
  known && { place: places.nameOf(known.point), ...known.point, time: times.iso(known.at) };

function recordOfFinding(finding: Finding, wording: Wording): Record<string, unknown> {
  const { times, time, name, past } = wording;
  const common = {
    ...{ result: finding.result, vehicle: name, time: times.iso(time) },
    ...(finding.part && finding.part.drivers.size > 0 && { drivers: [...finding.part.drivers].map(past.driverName) }),
  };
  if ("before" in finding) return { ...common, before: recordOf(finding.before, wording), after: recordOf(finding.after, wording) };
  if (finding.result === "withheld") return common;
  const { from, start, end, isOpen } = finding.part;
  return { ...common, at: recordOf(knownAt(from, start, name), wording), ...(!isOpen && { until: times.iso(end) }) };
}

/** Says what else is known of a vehicle without records. */
function withoutRecords({ asked, odd }: Pick<Past, "asked" | "odd">, { driver }: Arguments, times: ZonedTimes, time: number): string {
  const why = asked ? " It may have no tachograph." : "";
  const live = parseDateTime(asked?.date);
  const latest = live === undefined ? "" : ` Its latest live position is of ${times.text(live)} (locate_vehicle).`;
  const whose = asked ? vehicleLabel(asked) : singleLine(driver ?? "", 40);
  const unknown = `Where ${whose} was at ${times.text(time)} is not known: no`;
  if (odd.length > 0) return `${unknown} usable tachograph records within ${REACH.at(-1)} days of it. ${odd.join(" ")}${latest}`;
  return `${unknown} tachograph records within ${REACH.at(-1)} days of it.${why}${latest}`;
}

const Place = {
  type: "object",
  properties: { place: { type: "string" }, latitude: { type: "number" }, longitude: { type: "number" }, time: { type: "string" } },
};

export const whereWas: ReadTool = {
  name: "where_was",
  title: "Where was it",
  description: "Where a vehicle or driver was at a past time, from tachographs: standing where, or driving between two known places.",
  effect: "read",
  operations: [operations.queryTachoActivity, operations.listLivePositions],
  ...toolInput({
    vehicle: z.string().min(1).optional().describe("Name"),
    driver: z.string().min(1).optional().describe("Instead of vehicle"),
    time: z.string().min(1).describe(`Such as ${INSTANT}`),
  }),
  outputSchema: {
    type: "object",
    properties: {
      ...questionProperties,
      result: { type: "string", enum: ["stood", "resting", "driving", "unrecorded", "withheld", "unknown", "ambiguous", "notFound"] },
      vehicle: { type: "string" },
      time: { type: "string" },
      at: Place,
      until: { type: "string" },
      before: Place,
      after: Place,
      drivers: { type: "array", items: { type: "string" } },
      note: { type: "string" },
    },
    required: ["result"],
  },
  run: async (given, context) => {
    const args = given as unknown as Arguments;
    const { vehicle, driver } = args;
    if ((vehicle === undefined) === (driver === undefined))
      throw new FleetError("input", "vehicle or driver: one of them is needed, and not both", { advice: "Name one of them" });
    const now = context.now();
    const times = timesOf(context);
    const clock = { now, timeZone: context.settings.timeZone };
    const time = readInstant(args.time, "time", clock);
    if (time > now)
      throw new FleetError("input", `time: ${times.text(time)} is in the future`, {
        advice: "Use locate_vehicle for now, or pass a past time",
      });
    const read = await readParts({ vehicle, driver }, { start: time, end: time + 1 }, context, true);
    const { past, days } = read;
    if (vehicle !== undefined && !past.asked)
      throw new FleetError("input", "vehicle: several were named", { advice: "Call once for each, or use trips_and_stops" });
    if (driver !== undefined && past.drivers.length > 1) throw whichDriver(driver, past.drivers);
    const found = days.map((day): Found => ({ vehicle: day.vehicle, finding: findingAt(time, day, read) }));
    const best = found.find(({ finding }) => finding.part) ?? found[0];
    if (!best) {
      const text = withoutRecords(past, args, times, time);
      const whole = { text, structured: { result: "unknown", time: times.iso(time), note: text } };
      const least = { text: "Not known: no tachograph records.", structured: { result: "unknown", note: "No tachograph records." } };
      return (budget) => (resultTokens(whole) <= budget ? whole : least);
    }
    const { vehicle: seen, finding } = best;
    const who = [...new Set(seen.activities.map((one) => one.driver))].map(past.driverName).join(", ");
    const wording: Wording = { name: seen.name, who, time, times, places: await knownPlaces(past.fleet, context), past };
    const points =
      "before" in finding ? [finding.before?.point, finding.after?.point] : finding.result === "withheld" ? [] : [finding.part.from];
    const note = [
      ...assumedIn(args.time, clock),
      ...past.understood,
      ...past.odd,
      ...wording.places.howKnown(points),
      `Times in ${times.zone}.`,
    ].join(" ");
    const whole = { text: `${textOf(finding, wording)} ${note}`, structured: { ...recordOfFinding(finding, wording), note } };
    // Names may be long.
    const short = {
      ...wording,
      name: singleLine(seen.name, 20),
      who: singleLine(who, 20),
      places: { ...wording.places, nameOf: (point: Point) => singleLine(wording.places.nameOf(point), 16) },
      past: { ...past, driverName: (key: string) => singleLine(wording.past.driverName(key), 12) },
    };
    const brief = { text: textOf(finding, short), structured: recordOfFinding(finding, short) };
    const least = {
      text: `${short.name} at ${times.text(time)}: ${finding.result}.`,
      structured: { result: finding.result, vehicle: short.name },
    };
    return (budget) => [whole, brief].find((result) => resultTokens(result) <= budget) ?? least;
  },
};

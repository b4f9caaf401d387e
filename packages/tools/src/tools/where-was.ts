import { FleetError, operations } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import * as z from "zod";
import { vehicleLabel } from "../fleet/entities.ts";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { whichDriver } from "../lookup/chosen-drivers.ts";
import { questionProperties } from "../names/name-question.ts";
import { type KnownPlaces, knownPlaces } from "../past/known-places.ts";
import { type Day, type Past, REACH, type ReadParts, readParts } from "../past/read-past.ts";
import { endsOf, type Part } from "../past/vehicle-days.ts";
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

/** What is known of a vehicle at a time. */
interface Finding {
  result: "stood" | "resting" | "withheld" | "driving" | "unrecorded";
  /** What it did then. */
  part?: Part | undefined;
  /** Where it stood, or was left. */
  at?: Known | undefined;
  /** Otherwise, the last place that is known at or before the time, and the first after it. */
  before?: Known | undefined;
  after?: Known | undefined;
}

const knownAt = (point: Point | undefined, at: number, vehicle: string): Known | undefined => point && { point, at, vehicle };

/** Returns the known places next to a time. */
function around(placed: readonly (Pick<Part, "start" | "end" | "from" | "to"> & { name: string })[], time: number) {
  const known = placed.flatMap(({ name, start, end, from, to }) => [knownAt(from, start, name) ?? [], knownAt(to, end, name) ?? []].flat());
  const later = (a: Known | undefined, b: Known) => (a && a.at > b.at ? a : b);
  const sooner = (a: Known | undefined, b: Known) => (a && a.at <= b.at ? a : b);
  return {
    before: known.filter(({ at }) => at <= time).reduce<Known | undefined>(later, undefined),
    after: known.filter(({ at }) => at > time).reduce<Known | undefined>(sooner, undefined),
  };
}

function findingAt(time: number, { vehicle: { name }, parts }: Day, { past, days }: ReadParts): Finding {
  const part = parts.find(({ start, end, isOpen }) => start <= time && (time < end || isOpen));
  const at = part && knownAt(part.from, part.start, name);
  if (part?.isWithheld) return { result: "withheld", part };
  if (part?.kind === "stop" && at) return { result: "stood", part, at };
  if (part?.kind === "rest") return { result: "resting", part, at };
  if (part?.kind === "trip") {
    const drives = part.drives.map((drive) => ({ ...drive, name, end: drive.end ?? drive.start, ...endsOf(drive) }));
    return { result: "driving", part, ...around(drives, time) };
  }
  // What a driver did before and after may be in other vehicles. Where somebody rests tells nothing of the vehicle.
  const placed = (past.isOfDriver ? days : [{ vehicle: { name }, parts }]).flatMap(({ vehicle, parts }) =>
    parts.map((one) => ({ ...one, name: vehicle.name, to: one.kind === "rest" ? undefined : one.to })),
  );
  return { result: "unrecorded", part, ...around(placed, time) };
}

interface Wording {
  name: string;
  /** The driver who was asked for. */
  who: string;
  time: number;
  times: ZonedTimes;
  placeName: KnownPlaces["nameOf"];
  driverName: Past["driverName"];
  isOfDriver: boolean;
}

const NO_PLACE = "a place that was not recorded";

/** Tells a finding, as text and as a record. */
function told(finding: Finding, { name, who, time, times, placeName, driverName, isOfDriver }: Wording) {
  const { result, part, at, before, after } = finding;
  const now = times.text(time);
  const clock = (instant: number) =>
    times.text(instant).slice(0, 10) === now.slice(0, 10) ? times.text(instant).slice(11) : times.text(instant);
  const place = (known: Known | undefined) =>
    known ? `${placeName(known.point)} (${known.point.latitude.toFixed(5)}, ${known.point.longitude.toFixed(5)})` : NO_PLACE;
  const recordOf = (known: Known | undefined) => known && { place: placeName(known.point), ...known.point, time: times.iso(known.at) };
  const drivers = part && part.drivers.size > 0 ? [...part.drivers].map(driverName) : undefined;
  const driver = drivers ? ` Driver: ${drivers.join(", ")}.` : "";
  const lasting = ({ start, end, isOpen, isCut }: Part) => {
    const since = `from ${clock(start)}${isCut.start ? " or earlier" : ""}`;
    return `${since} ${isOpen ? "and still is" : `until ${clock(end)}${isCut.end ? " or later" : ""}`}`;
  };
  const sentence = () => {
    if (part && result === "stood") {
      const gaps = part.unrecorded > 0 ? ` Nothing is recorded for ${durationInWords(part.unrecorded)} of it.` : "";
      const odd = part.remarks.length > 0 ? ` Odd: ${part.remarks.join("; ")}.` : "";
      return `${name} at ${now}: standing at ${place(at)} ${lasting(part)}.${driver}${gaps}${odd}`;
    }
    if (part && result === "resting")
      return `${who} at ${now}: resting ${lasting(part)}; left ${name} at ${place(at)}. Others may have driven it since: ask about the vehicle.`;
    if (result === "withheld") return `${name} at ${now}: places withheld, since it may have been on a private journey.`;
    if (result === "driving") {
      const open = part?.isOpen ? ", its next place is not known yet" : ` and ${NO_PLACE}`;
      const next = after ? ` and ${place(after)}, reached at ${clock(after.at)}` : open;
      return `${name} at ${now}: driving between ${place(before)}${before ? `, left at ${clock(before.at)},` : ""}${next}. Nothing is recorded in between.${driver}`;
    }
    const seen = (known: Known) => `${isOfDriver ? ` in ${known.vehicle}` : ""} at ${place(known)} at ${clock(known.at)}`;
    const what = !isOfDriver && part?.kind === "stop" ? `standing at ${NO_PLACE}` : "not recorded";
    return `${isOfDriver ? who : name} at ${now}: ${what}; ${before ? `last${seen(before)}` : "nothing before"}, ${after ? `next${seen(after)}` : "nothing since"}.`;
  };
  const isEnded = (result === "stood" || result === "resting") && part?.isOpen === false;
  return {
    text: sentence(),
    structured: {
      ...{ result, vehicle: name, time: times.iso(time), ...(drivers && { drivers }) },
      ...{ at: recordOf(at), ...(isEnded && { until: times.iso(part.end) }), before: recordOf(before), after: recordOf(after) },
    },
  };
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
    const found = days.map((day) => ({ vehicle: day.vehicle, finding: findingAt(time, day, read) }));
    const best = found.find(({ finding }) => finding.part) ?? found[0];
    if (!best) {
      const text = withoutRecords(past, args, times, time);
      const whole = { text, structured: { result: "unknown", time: times.iso(time), note: text } };
      const least = { text: "Not known: no tachograph records.", structured: { result: "unknown", note: "No tachograph records." } };
      return (budget) => (resultTokens(whole) <= budget ? whole : least);
    }
    const { vehicle: seen, finding } = best;
    const who = [...new Set(seen.activities.map((one) => one.driver))].map(past.driverName).join(", ");
    const places = await knownPlaces(past.fleet, context);
    const { driverName, isOfDriver } = past;
    const wording: Wording = { name: seen.name, who, time, times, placeName: places.nameOf, driverName, isOfDriver };
    const note = [
      ...assumedIn(args.time, clock),
      ...past.understood,
      ...past.odd,
      ...places.howKnown([finding.at, finding.before, finding.after].map((known) => known?.point)),
      `Times in ${times.zone}.`,
    ].join(" ");
    const { text, structured } = told(finding, wording);
    const whole = { text: `${text} ${note}`, structured: { ...structured, note } };
    // Names may be long.
    const brief = told(finding, {
      ...{ ...wording, name: singleLine(seen.name, 20), who: singleLine(who, 20) },
      placeName: (point) => singleLine(places.nameOf(point), 16),
      driverName: (key) => singleLine(driverName(key), 12),
    });
    const { vehicle: name } = brief.structured;
    const least = { text: `${name} at ${times.text(time)}: ${finding.result}.`, structured: { result: finding.result, vehicle: name } };
    return (budget) => [whole, brief].find((result) => resultTokens(result) <= budget) ?? least;
  },
};

import { operations, type RowQuery } from "@fleetwire/core";
import * as z from "zod";
import { vehicleLabel } from "../fleet/entities.ts";
import type { FleetContext, ReadTool } from "../fleet/fleet-context.ts";
import { PLACES_WITHHELD } from "../fleet/private-journeys.ts";
import { acceptedDrivers, type ChosenBy, driverArguments, vehicleArgument } from "../lookup/chosen-drivers.ts";
import { originOf } from "../lookup/origin.ts";
import { type KnownPlaces, knownPlaces } from "../past/known-places.ts";
import { isOddLength, type Past, type PastVehicle, readParts } from "../past/read-past.ts";
import { pastPeriod } from "../past/tacho-question.ts";
import type { Part } from "../past/vehicle-days.ts";
import { distanceKm, type Point } from "../places/geography.ts";
import { compactOutputSchema, type Row } from "../query/list-result.ts";
import { acceptedList, type ListArguments, listArguments, listOf } from "../query/list-tool.ts";
import { type RowColumns, rowColumns } from "../query/row-columns.ts";
import { toolInput } from "../query/tool-input.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { pluralize } from "../text/pluralize.ts";
import { carriedSpan, type Span } from "../text/read-period.ts";
import { hoursAndMinutes, timesOf, type ZonedTimes } from "../text/time.ts";

const DEFAULT_PERIOD = "last 24 hours";
/** The radius around a place, in km, unless the call says otherwise: of a town, and of anything else. */
const TOWN_RADIUS = 10;
const POINT_RADIUS = 0.5;

interface Arguments extends ListArguments, Omit<ChosenBy, "driver"> {
  driver?: string;
  at?: string;
  withinKm?: number;
  period?: string;
}

/** The columns, with the meaning of those whose names do not explain it. */
const COLUMNS = {
  vehicle: "",
  kind: "trip, stop (5 min or more), gap (nothing recorded) or, asked by driver, rest: left the vehicle there",
  start: "",
  end: "none: goes on",
  duration: "h:mm",
  from: "of a stop, its place",
  to: "",
  km: "",
  driver: "",
  remark: "",
  unrecorded: "part of the duration without records",
  driving: "",
  latitude: "of from",
  longitude: "",
  endLatitude: "of to",
  endLongitude: "",
};

const DEFAULT_FIELDS = ["vehicle", "kind", "start", "end", "duration", "from", "to", "km", "driver", "remark", "unrecorded"];
/** A trip says little without its ends and the driver. */
const ROW_TOKENS = 45;
const columns: RowColumns = {
  ...rowColumns({}),
  shown: () => ({ start: { isInstant: true, hasTime: true }, end: { isInstant: true, hasTime: true } }),
};
const WITHHELD = "withheld";
/** One vehicle's day, and the visits to a place, are told in order. */
const orderOf = ({ vehicle, at }: Arguments): Pick<RowQuery, "order" | "ties" | "vehicle"> =>
  vehicle === undefined && at === undefined
    ? { order: "vehicle", ties: ["start", "end"], vehicle: "vehicle" }
    : { order: "start", ties: ["vehicle", "end"], vehicle: "vehicle" };

/** Finds a place that vehicles may have been at. */
async function wantedPlace({ at, withinKm }: Arguments, past: Past, places: KnownPlaces, context: FleetContext) {
  if (at === undefined) return undefined;
  const { point, name, kind } = await originOf({ text: at, field: "at" }, past.fleet, context.towns);
  const known = kind === "location" ? places.fenceAt(point)?.radius : undefined;
  const radius = withinKm ?? known ?? (kind === "town" ? TOWN_RADIUS : POINT_RADIUS);
  return { center: point, radius, label: `within ${Math.round(radius * 100) / 100} km of ${name}` };
}

/** Whether a vehicle was at a place: it stood there or, if it is not known to have stood, a trip began or ended there. */
function wasAt(parts: readonly Part[], { center, radius }: { center: Point; radius: number }): (part: Part, at: number) => boolean {
  const isNear = (point: Point | undefined) => point !== undefined && distanceKm(point, center) <= radius;
  const stood = (part: Part | undefined) => part?.kind === "stop" || part?.kind === "rest";
  return ({ kind, from, to }, at) => {
    if (kind === "stop" || kind === "rest") return isNear(from);
    return (isNear(from) && !stood(parts[at - 1])) || (isNear(to) && !stood(parts[at + 1]));
  };
}

const iso = (instant: number) => new Date(instant).toISOString();
const MAX_DRIVERS = 3;

/** Says at which of its ends a part lasts longer than what was read, or may last longer than what is recorded. */
const cutsOf = ({ start, end, isCut }: Part, read: Span): string[] => [
  ...(isCut.start ? [start === read.start ? "began earlier" : "may have begun earlier"] : []),
  ...(isCut.end ? [end === read.end ? "ended later" : "may have ended later"] : []),
];

/** The length of a trip, as its row shows it. */
function kmOf({ drives }: Part, past: Past): number | undefined {
  const km = past.lengthOf(drives);
  return km === undefined ? undefined : Math.round(km * 10) / 10;
}

const KINDS = [
  ["trip", "trips"],
  ["stop", "stops"],
  ["rest", "rests"],
] as const;

/** Adds up trips and stops as their rows show them and, of those that are partly outside the period, says how much lies in it. */
function totalsOf(parts: readonly Part[], window: Span, past: Past, isCounted: boolean): string[] {
  const of = (kind: Part["kind"]) => parts.filter((part) => part.kind === kind && !part.isContradicted);
  const whole = ({ start, end }: Span) => end - start;
  const inside = ({ start, end }: Span) => Math.min(end, window.end) - Math.max(start, window.start);
  const trips = of("trip");
  const odd = parts.filter(({ isContradicted }) => isContradicted);
  if (parts.length < 2 && trips.length + odd.length === 0) return [];
  const length = (some: readonly Part[], part: typeof whole) => hoursAndMinutes(some.reduce((sum, one) => sum + part(one), 0));
  const km = (part: Part) => kmOf(part, past) ?? 0;
  const sum = (some: readonly Part[], share: (part: Part) => number) => `${Math.round(some.reduce((all, one) => all + share(one), 0))} km`;
  const straight = past.unit ? "" : " in a straight line";
  const isMeasured = ({ drives }: Part) => drives.every((one) => one.recorded.distance !== undefined && !isOddLength(one, past.unit));
  const driven = `${past.unit && trips.every(isMeasured) ? "" : "at least "}${sum(trips, km)}${straight}`;
  const summed = KINDS.flatMap(([one, many]) => {
    const some = of(one);
    if (some.length === 0) return [];
    const share =
      one === "trip" ? `about ${sum(some, (part) => (km(part) * inside(part)) / Math.max(1, whole(part)))}${straight} in` : many;
    return {
      all: `${pluralize(some.length, [one, many])}${one === "trip" ? `, ${driven}` : ""} in ${length(some, whole)}`,
      inPeriod: `${share} ${length(some, inside)}`,
      isCut: some.some((part) => inside(part) !== whole(part)),
    };
  });
  const all = (of: "all" | "inPeriod", between: string) => summed.map(({ [of]: text }) => text).join(between);
  return [
    ...(summed.length === 0 ? [] : [`${all("all", "; ")}.`]),
    ...(summed.some(({ isCut }) => isCut) ? [`Of this in the period: ${all("inPeriod", ", ")}.`] : []),
    ...(odd.length === 0
      ? []
      : [
          `Not counted: ${pluralize(odd.length, ["trip", "trips"])}, ${sum(odd, km)}, whose driver is recorded in two vehicles at a time${isCounted ? "; the rows have them" : ""}.`,
        ]),
  ];
}

function rowOf(part: Part, { name }: PastVehicle, past: Past, read: Span, places: KnownPlaces): Row {
  const { kind, start, end, isOpen, from, to, isWithheld, drivers, drives, driving, unrecorded, remarks } = part;
  const place = (point: Point | undefined) => (isWithheld ? WITHHELD : point && places.nameOf(point));
  const named = [...drivers].slice(0, MAX_DRIVERS).map(past.driverName);
  const km = kind === "trip" ? kmOf(part, past) : undefined;
  const odd = drives.some((drive) => isOddLength(drive, past.unit)) ? ["a distance that cannot be true was ignored"] : [];
  const remark = [...(isOpen ? ["goes on"] : []), ...cutsOf(part, read), ...remarks, ...odd].join("; ");
  return {
    vehicle: name,
    kind,
    start: iso(start),
    end: isOpen ? undefined : iso(end),
    duration: hoursAndMinutes(end - start),
    from: place(from),
    to: kind === "stop" || kind === "rest" ? undefined : place(to),
    km,
    driver: named.length > 0 ? [...named, ...(drivers.size > MAX_DRIVERS ? [`${drivers.size - MAX_DRIVERS} more`] : [])] : undefined,
    remark: remark === "" ? undefined : remark,
    unrecorded: unrecorded > 0 ? hoursAndMinutes(unrecorded) : undefined,
    driving: kind === "trip" ? hoursAndMinutes(driving) : undefined,
    ...(!isWithheld && { latitude: from?.latitude, longitude: from?.longitude, endLatitude: to?.latitude, endLongitude: to?.longitude }),
  };
}

const UNCERTAIN = "km: in a straight line, at least, since the unit of distance is not certain (FLEET_DISTANCE_UNIT).";

const ABOUT_DRIVER = "About the driver: a rest says where the vehicle was left; others may have driven it since.";

/** Why places are withheld, as the records say. */
const reasonIn = ({ vehicles }: Past) =>
  vehicles
    .flatMap(({ activities }) => activities)
    .flatMap(({ recorded }) => (PLACES_WITHHELD in recorded ? [recorded[PLACES_WITHHELD]] : []))[0];

/** Says which of the vehicles that were asked about have no records in the period, and what is known of a single one. */
function withoutRecords(past: Past, recorded: ReadonlySet<PastVehicle>, earlier: Part | undefined, { text }: ZonedTimes): string[] {
  const { asked, members, odd, vehicles } = past;
  const positions = new Set([...recorded].map(({ position }) => position));
  const without = members.filter((position) => !positions.has(position)).length;
  if (without === 0) return [];
  if (!asked) return [`Without tachograph records in the period: ${without} of ${members.length} vehicles.`];
  if (vehicles.length === 0 && odd.length === 0)
    return [`No tachograph records: ${vehicleLabel(asked)} may have no tachograph, and nothing else tells where it was.`];
  const last = earlier ? ` Its last record before is a ${earlier.kind} until ${text(earlier.end)}.` : "";
  return [`No usable tachograph records of ${vehicleLabel(asked)} in the period.${last}`];
}

export const tripsAndStops: ReadTool = {
  name: "trips_and_stops",
  title: "Trips and stops",
  description:
    "The past, from tachographs: trips (from, to, km) and stops of vehicles in a period; with at, who was at a place, from when to when.",
  effect: "read",
  operations: [operations.queryTachoActivity, operations.listLivePositions],
  ...toolInput(
    {
      vehicle: vehicleArgument,
      ...driverArguments,
      at: z.string().min(1).optional().describe("Location, town, lat,lng or vehicle"),
      withinKm: z.number().min(0).max(1000).optional().describe("Of at; straight line"),
      period: z.string().min(1).optional().describe(`As in summarize_driver_activity; default ${DEFAULT_PERIOD}`),
      ...listArguments("kind=stop, duration>1:00"),
    },
    { ...acceptedList, ...acceptedDrivers },
  ),
  outputSchema: compactOutputSchema(COLUMNS),
  run: (args: Arguments, context) =>
    listOf(
      args,
      {
        order: orderOf(args),
        carried: carriedSpan,
        read: async (_, given: Arguments, before) => {
          const window = pastPeriod(given.period ?? DEFAULT_PERIOD, before, context);
          const end = Math.min(window.end, context.now());
          const { past, days, read } = await readParts(given, { start: window.start, end }, context);
          const places = await knownPlaces(past.fleet, context);
          const place = await wantedPlace(given, past, places, context);
          const partOf = new Map<Row, Part>();
          const slices = new TimeSlices();
          const recorded = new Set<PastVehicle>();
          for (const { vehicle, parts } of days) {
            const isThere = place ? wasAt(parts, place) : () => true;
            await slices.each(parts.entries(), ([at, part]) => {
              if (part.start >= end || part.end <= window.start) return;
              recorded.add(vehicle);
              if (isThere(part, at)) partOf.set(rowOf(part, vehicle, past, read, places), part);
            });
            if (slices.isOver) await slices.next();
          }
          if (slices.isOver) await slices.next();
          const earlier = days[0]?.parts.findLast((part) => part.end <= window.start);
          // Of places that are withheld, nobody knows whether they fit.
          const withheld = [...partOf.values()].filter(({ isWithheld }) => isWithheld).length;
          const notesOn = (within: readonly Part[]) => [
            ...past.understood,
            ...past.only,
            ...past.odd,
            `Period ${window.text}.`,
            ...(past.isOfDriver ? [ABOUT_DRIVER] : []),
            ...(place
              ? [`Only ${place.label}; passing it while driving is not recorded.`]
              : totalsOf(within, window, past, args.count !== undefined)),
            ...(past.isOfDriver
              ? past.driversWithout({ start: window.start, end })
              : withoutRecords(past, recorded, earlier, timesOf(context))),
            ...places.howKnown(within.flatMap(({ from, to, isWithheld }) => (isWithheld ? [] : [from, to]))),
            ...(withheld > 0 ? [`Places withheld in ${withheld} of ${partOf.size}: ${reasonIn(past)}.`] : []),
            ...(past.unit || !within.some(({ kind }) => kind === "trip") ? [] : [UNCERTAIN]),
          ];
          return {
            carried: [window.start, window.end],
            rows: {
              noun: place ? ["visit", "visits"] : ["trip or stop", "trips and stops"],
              rows: [...partOf.keys()],
              fields: Object.keys(COLUMNS),
              shape: {},
              rowTokens: ROW_TOKENS,
              naming: past.asked ? "kind" : "vehicle",
              columns,
              defaultFields: past.asked ? DEFAULT_FIELDS.filter((field) => field !== "vehicle") : DEFAULT_FIELDS,
              sums: ["km", "driving", "duration"],
              notes: (fitting) => notesOn(fitting.flatMap((row) => partOf.get(row) ?? [])),
            },
          };
        },
      },
      context,
    ),
};

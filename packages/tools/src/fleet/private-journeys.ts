import { type CallOptions, type FleetClient, FleetError, type LivePosition } from "@fleetwire/core";
import { distanceKm, type Point, pointOf } from "../places/geography.ts";
import { plateOf } from "../text/spelling.ts";
import { ACTIVITY_SPAN } from "./activity-words.ts";
import type { Position } from "./position.ts";
import { mayEndAfter } from "./spans.ts";

/** What identifies a vehicle or driver. */
export type JourneyKey = "vehicle" | "registration" | "driver";

/** What identifies whose record it is, as far as it says. */
type JourneyKeys = readonly (readonly [key: JourneyKey, value: unknown])[];

/** Where somebody was whose places are withheld. */
interface PrivatePlaces {
  keys: JourneyKeys;
  points: readonly Point[];
}

/** For how long before now a record may belong to the private journey that goes on, in milliseconds. */
export const JOURNEY_LENGTH = 24 * 3_600_000;

/** This near, in km, is at the same place. */
const SAME_PLACE_KM = 1;

/** The field that marks a masked record whose places are withheld, though it has no flag of its own. It holds the reason. */
export const PLACES_WITHHELD = "placesWithheld";

/** Whether a flag marks a journey as private. Unexpected values count as private. */
export const marksPrivate = (flag: unknown, guard: boolean): boolean => flag !== undefined && flag !== null && flag !== !guard;

const formOf = (key: JourneyKey, value: unknown) => (key === "registration" && typeof value === "string" ? plateOf(value) : value);

/** The vehicles and drivers that live positions show on a private journey, or unknown if they cannot be read. */
export class PrivateJourneys {
  readonly #keys: Readonly<Record<JourneyKey, ReadonlySet<unknown>>> | undefined;

  readonly #places: readonly PrivatePlaces[] | undefined;

  /** `places` is where those on a private journey are and were; undefined if it is not known. */
  constructor(positions: readonly Position[] | undefined, places: readonly PrivatePlaces[] | undefined) {
    this.#places = places;
    const travelling = positions?.filter(({ privacy }) => marksPrivate(privacy, true));
    this.#keys = travelling && {
      vehicle: new Set(travelling.map(({ assetId }) => assetId || undefined)),
      registration: new Set(travelling.map(({ assetRegistration }) => formOf("registration", assetRegistration || undefined))),
      driver: new Set(travelling.flatMap(({ driverId }) => driverId || [])),
    };
  }

  /** Whether nothing is withheld. */
  get isNone(): boolean {
    return this.#keys?.vehicle.size === 0;
  }

  get reason(): string {
    return this.#keys ? "private journey" : "live positions cannot be read, so private journeys are unknown";
  }

  /** Whether one of these points of a record with these keys may be where somebody on a private journey is, or was lately. */
  isAt(record: JourneyKeys, points: readonly Point[]): boolean {
    const places = this.#places;
    if (!places) return true;
    const isShared = ({ keys }: PrivatePlaces) =>
      keys.some(([key, value]) => value && record.some(([other, own]) => other === key && formOf(key, own) === formOf(key, value)));
    const own = places.filter(isShared);
    const near = (own.length > 0 ? own : places).flatMap((place) => place.points);
    return points.some((point) => near.some((place) => distanceKm(point, place) <= SAME_PLACE_KM));
  }

  /** Whether a record with these keys is, or may be, about someone on a private journey. */
  includes(record: JourneyKeys): boolean {
    const keys = this.#keys;
    if (!keys || this.isNone) return !keys;
    const present = record.filter(([, value]) => value !== undefined && value !== null && value !== "");
    if (present.some(([key, value]) => keys[key].has(formOf(key, value)))) return true;
    // A key that a private vehicle lacks tells nothing about it.
    return !present.some(([key]) => !keys[key].has(undefined));
  }
}

/** With more vehicles than this, everyone's entries are read, because a request that names them all would be very long. */
const MAX_NAMED = 100;
const PAGE_SIZE = 200;

type Keys = Pick<LivePosition, "assetId" | "assetRegistration">;

const placesOf = (of: Keys, driverId: string | undefined, ...points: Parameters<typeof pointOf>[0][]): PrivatePlaces => ({
  keys: [
    ["vehicle", of.assetId],
    ["registration", of.assetRegistration],
    ["driver", driverId],
  ],
  points: points.flatMap((point) => pointOf(point) ?? []),
});

/**
 * Reads where the vehicles on a private journey are, and were while it may have gone on: what happened there before is withheld too. Undefined if this cannot be
 * read. The points come from the client before masking, and no result shows them.
 */
export async function readPrivatePlaces(
  fleet: FleetClient,
  positions: readonly Position[],
  now: number,
  options: CallOptions,
): Promise<readonly PrivatePlaces[] | undefined> {
  const travelling = positions.filter(({ privacy }) => marksPrivate(privacy, true));
  if (travelling.length === 0) return [];
  const namesOf = (name: (position: Position) => string | undefined) => {
    const names = travelling.flatMap((position) => name(position) || []);
    return names.length === travelling.length && names.length <= MAX_NAMED ? names : undefined;
  };
  const [vehicleIds, registrations] = [namesOf(({ assetId }) => assetId), namesOf(({ assetRegistration }) => assetRegistration)];
  try {
    const live = await fleet.listLivePositions({ ...(vehicleIds && { vehicleIds }) }, options);
    const places = live
      .filter(({ privacy }) => vehicleIds || marksPrivate(privacy, true))
      .map((position) => placesOf(position, position.driverId, position));
    const [startTime = "", endTime = ""] = [now - JOURNEY_LENGTH, now].map((instant) => new Date(instant).toISOString().slice(0, 19));
    const query = { startTime, endTime, ...(registrations && { registrations }), limit: PAGE_SIZE };
    for await (const { data } of fleet.queryTachoActivity.pages(query, options))
      for (const entry of data)
        for (const one of entry.activities ?? [])
          if (mayEndAfter(one, ACTIVITY_SPAN, now - JOURNEY_LENGTH)) {
            const [start, end] = [
              { latitude: one.startLatitude, longitude: one.startLongitude },
              { latitude: one.endLatitude, longitude: one.endLongitude },
            ];
            places.push(placesOf(one, entry.driverId, start, end));
          }
    return places;
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    return error.code === "config" ? [] : undefined;
  }
}

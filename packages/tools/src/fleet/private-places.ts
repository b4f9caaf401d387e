import { type CallOptions, FleetError, type LivePosition } from "@fleetwire/core";
import { pointOf } from "../places/geography.ts";
import { ACTIVITY_SPAN } from "./activity-words.ts";
import type { ToolClient } from "./masked-client.ts";
import { mayEndAfter } from "./odd-end.ts";
import type { Position } from "./position.ts";
import { JOURNEY_LENGTH, marksPrivate, type PrivatePlaces } from "./private-journeys.ts";

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
  fleet: ToolClient,
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

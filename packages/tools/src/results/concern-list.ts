import * as z from "zod";
import type { Concerned, ConcernGroup, ConcernRow } from "../aggregate/fleet-concerns.ts";
import { VEHICLE } from "./counted.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { listResult } from "./list-result.ts";
import type { Rendering } from "./tool-result.ts";

const DEFAULT_LIMIT = 20;
const NAMES = ["assetId", "assetName", "assetRegistration", "assetGroupName"];
const Last = z.tuple([z.number(), z.string(), z.int()]);

type Place = z.infer<typeof Last>;

interface Placed {
  row: ConcernRow;
  place: Place;
}

/** Each vehicle with its rank, its id and its number among its likes: those without an id are alike. */
function inPlaces(vehicles: readonly Concerned[]): Placed[] {
  const seen = new Map<string, number>();
  return vehicles.map(({ row, rank }) => {
    const id = row.assetId ?? "";
    const alike = `${rank} ${id}`;
    const count = seen.get(alike) ?? 0;
    seen.set(alike, count + 1);
    return { row, place: [rank, id, count] };
  });
}

const isAfter = ([rank, id, count]: Place, last: Place) =>
  rank > last[0] || (rank === last[0] && (id > last[1] || (id === last[1] && count > last[2])));

/** All vehicles of one concern, the worst first, in as many calls as it takes. */
export function concernList(
  { title, vehicles, about }: ConcernGroup,
  { limit = DEFAULT_LIMIT, cursor, fields }: { limit?: number; cursor?: string; fields?: string[] },
): Rendering {
  const last = readCursor(cursor, Last);
  const rest = inPlaces(vehicles).filter(({ place }) => last === undefined || isAfter(place, last));
  const known = [...NAMES, ...about];
  return listResult(
    {
      what: VEHICLE,
      rows: rest.slice(0, limit).map(({ row }) => ({ ...row })),
      total: vehicles.length,
      fields: known,
      defaultFields: known,
      next: (shown) => (shown < rest.length ? writeCursor((rest[shown - 1] as Placed).place) : undefined),
      notes: [`${title}.`],
    },
    { fields },
  );
}

import * as z from "zod";
import type { ConcernGroup } from "../questions/fleet-concerns.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { listResult } from "./list-result.ts";
import type { ToolResult } from "./tool-result.ts";

const DEFAULT_LIMIT = 20;
const NAMES = ["assetId", "assetName", "assetRegistration", "assetGroupName"];
const Last = z.tuple([z.number(), z.string()]);

/** All vehicles of one concern, the worst first, in as many calls as it takes. */
export function concernList(
  { title, vehicles, about }: ConcernGroup,
  { limit = DEFAULT_LIMIT, cursor, fields }: { limit?: number; cursor?: string; fields?: string[] },
  budget: number,
): ToolResult {
  const last = readCursor(cursor, Last);
  const idOf = ({ row }: (typeof vehicles)[number]) => row.assetId ?? "";
  const rest = last
    ? vehicles.filter((vehicle) => vehicle.rank > last[0] || (vehicle.rank === last[0] && idOf(vehicle) > last[1]))
    : vehicles;
  return listResult(
    {
      what: "vehicles",
      rows: rest.slice(0, limit).map(({ row }) => ({ ...row })),
      total: vehicles.length,
      fields: [...NAMES, ...about],
      defaultFields: [...NAMES, ...about],
      next: (shown) => {
        const at = rest[shown - 1];
        return at && shown < rest.length ? writeCursor([at.rank, idOf(at)]) : undefined;
      },
      notes: [`${title}.`],
    },
    { fields },
    budget,
  );
}

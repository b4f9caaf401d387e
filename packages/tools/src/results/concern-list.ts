import * as z from "zod";
import type { ConcernGroup } from "../aggregate/fleet-concerns.ts";
import { DEFAULT_LIMIT, type ListArguments } from "../arguments/tool-input.ts";
import { VEHICLE } from "./counted.ts";
import { readCursor } from "./cursor.ts";
import { rowsAfter } from "./keyset.ts";
import { listResult } from "./list-result.ts";
import type { Rendering } from "./tool-result.ts";

const NAMES = ["assetId", "assetName", "assetRegistration", "assetGroupName"];

/** The rank and id of the last vehicle shown, and its number among those alike. */
const Last = z.tuple([z.number(), z.string(), z.int()]);

/** All vehicles of one concern, the worst first, in as many calls as it takes. */
export function concernList({ title, vehicles, about }: ConcernGroup, { limit = DEFAULT_LIMIT, cursor, fields }: ListArguments): Rendering {
  const known = [...NAMES, ...about];
  const { rest, next } = rowsAfter(vehicles, { keyOf: ({ row, rank }) => [rank, row.assetId ?? ""] }, { last: readCursor(cursor, Last) });
  return listResult(
    {
      what: VEHICLE,
      rows: rest.slice(0, limit).map(({ row }) => ({ ...row })),
      total: vehicles.length,
      fields: known,
      defaultFields: known,
      next,
      notes: [`${title}.`],
    },
    { fields },
  );
}

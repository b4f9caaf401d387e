import * as z from "zod";
import type { Concern } from "../aggregate/fleet-concerns.ts";
import type { FleetSummary } from "../aggregate/fleet-summary.ts";
import { DEFAULT_LIMIT, type ListArguments } from "../arguments/tool-input.ts";
import { singleLine } from "./clip-values.ts";
import { CONCERN_WORDS, concernRow } from "./concern-words.ts";
import { readCursor } from "./cursor.ts";
import { hiddenNote, type SummaryOptions } from "./fleet-summary-result.ts";
import { rowsAfter } from "./keyset.ts";
import { listResult } from "./list-result.ts";
import { pluralize, VEHICLE } from "./pluralize.ts";
import type { ZonedTimes } from "./time.ts";
import type { Render } from "./tool-result.ts";

const NAMES = ["assetId", "assetName", "assetRegistration", "assetGroupName", "city"];

/** The last vehicle shown: its rank, its id, and its index among vehicles with the same rank and id. */
const Last = z.tuple([z.number(), z.string(), z.int()]);

/** One page of the vehicles with a given concern, worst first. */
export async function concernList(
  summary: FleetSummary,
  { list, limit = DEFAULT_LIMIT, cursor, fields }: ListArguments & { list: Concern },
  { scope, isOfPlace = false, now }: SummaryOptions,
  times: ZonedTimes,
): Promise<Render> {
  const { title, about } = CONCERN_WORDS[list];
  const { vehicles, reporting } = summary.concerns[list];
  const hidden = isOfPlace ? hiddenNote(summary, isOfPlace) : undefined;
  const known = [...NAMES, ...about];
  const { rows, next } = await rowsAfter(
    vehicles,
    { keyOf: ({ position, rank }) => [rank, singleLine(position.assetId ?? "", 60)] },
    { last: readCursor(cursor, Last) },
    limit,
  );
  return listResult(
    {
      what: VEHICLE,
      rows: rows.map(({ position }) => ({ ...concernRow(list, position, now) })),
      total: vehicles.length,
      fields: known,
      defaultFields: known,
      next,
      notes: [
        `${title(summary.thresholds)}${scope === "" ? "" : `; only ${scope}`}.`,
        ...(reporting === undefined ? [] : [`${reporting} of ${pluralize(summary.vehicles, VEHICLE)} report a level.`]),
        ...(hidden === undefined ? [] : [hidden]),
      ],
      columns: { date: { isInstant: true } },
      times,
    },
    { fields },
  );
}

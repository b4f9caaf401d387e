import * as z from "zod";
import type { Render } from "../model/tool-result.ts";
import { readCursor } from "../query/cursor.ts";
import { rowsAfter } from "../query/keyset.ts";
import { listResult } from "../query/list-result.ts";
import { DEFAULT_LIMIT, type ListArguments } from "../query/tool-input.ts";
import { singleLine } from "../text/clip-values.ts";
import { pluralize, VEHICLE } from "../text/pluralize.ts";
import type { ZonedTimes } from "../text/time.ts";
import { CONCERN_WORDS, concernRow } from "./concern-words.ts";
import type { Concern } from "./fleet-concerns.ts";
import type { FleetSummary } from "./fleet-summary.ts";
import { hiddenNote, type SummaryOptions } from "./fleet-summary-result.ts";

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

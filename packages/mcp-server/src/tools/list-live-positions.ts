import { LivePosition, operations } from "@fleetwire/core";
import * as z from "zod";
import { maskPositions, type Position } from "../privacy.ts";
import { readCursor, writeCursor } from "../results/cursor.ts";
import { listOutputSchema, listResult } from "../results/list-result.ts";
import { operationTool } from "./operation-tool.ts";
import { DEFAULT_LIMIT, fieldTypes, type ListArguments, listArguments } from "./tool-input.ts";

const DEFAULT_FIELDS = [
  "assetId",
  "assetName",
  "assetRegistration",
  "eventType",
  "speed",
  "city",
  "country",
  "latitude",
  "longitude",
  "date",
  "driverName",
];

type Key = [string, string];

// Names in the order people count in, then ids: neither changes while the fleet moves, so a cursor keeps its place.
const byName = new Intl.Collator("en", { numeric: true });
const keyOf = ({ assetName = "", assetId = "" }: Position): Key => [assetName, assetId];
const compareKeys = (a: Key, b: Key) =>
  byName.compare(a[0], b[0]) || (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) || byName.compare(a[1], b[1]);

export const listLivePositions = operationTool(operations.listLivePositions, {
  arguments: listArguments,
  outputSchema: listOutputSchema(fieldTypes(LivePosition)),
  run: async ({ limit = DEFAULT_LIMIT, cursor, fields, ...filters }: ListArguments & Record<string, unknown>, context) => {
    const { fleet, settings, signal } = context;
    const after = readCursor(cursor, z.tuple([z.string(), z.string()]));
    const answer = await fleet.listLivePositions(
      { ...filters, hideSpeedIfSpeedSensitive: settings.privacy !== "off" },
      { ...(signal && { signal }) },
    );
    const sorted = maskPositions(answer, context).sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
    const rest = after ? sorted.filter((position) => compareKeys(keyOf(position), after) > 0) : sorted;
    const rows = rest.slice(0, limit);
    const hidden = settings.privacy !== "off" && rows.some(({ privacy }) => privacy === true);
    return listResult(
      {
        what: "vehicles",
        rows,
        total: sorted.length,
        fields: Object.keys(LivePosition.shape),
        defaultFields: DEFAULT_FIELDS,
        next: (shown) => {
          const last = rows[shown - 1];
          return last && shown < rest.length ? writeCursor(keyOf(last)) : undefined;
        },
        notes: ["Times in UTC, speed in km/h.", ...(hidden ? ["Whereabouts on private journeys are withheld."] : [])],
      },
      { fields },
      settings.maxResultTokens,
    );
  },
});

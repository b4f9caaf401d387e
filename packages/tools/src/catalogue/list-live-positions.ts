import { LivePosition, operations } from "@fleetwire/core";
import * as z from "zod";
import { DEFAULT_LIMIT, fieldTypes, type ListArguments, listArguments } from "../arguments/tool-input.ts";
import type { Position } from "../fleet/privacy.ts";
import { plainText } from "../results/cell.ts";
import { VEHICLE } from "../results/counted.ts";
import { readCursor, writeCursor } from "../results/cursor.ts";
import { listOutputSchema, listResult } from "../results/list-result.ts";
import { ageOf, directionOf } from "../results/time.ts";
import { operationTool } from "./operation-tool.ts";

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

type Key = readonly [name: string, id: string, count: number];

// In the order people count in.
const collator = new Intl.Collator("en", { numeric: true });
const compareTexts = (a: string, b: string) => collator.compare(a, b) || Number(a > b) - Number(a < b);
const compareKeys = (a: Key, b: Key) => compareTexts(a[0], b[0]) || compareTexts(a[1], b[1]) || a[2] - b[2];

/** Positions by name, then id, then number among their likes: none of it changes while the fleet moves, so a cursor keeps its place. */
function inOrder(positions: readonly Position[]): { key: Key; position: Position }[] {
  const seen = new Map<string, number>();
  const keyed = positions.map((position) => {
    const [name, id] = [plainText(position.assetName ?? "", 32), plainText(position.assetId ?? "", 16)];
    const count = seen.get(`${name}\n${id}`) ?? 0;
    seen.set(`${name}\n${id}`, count + 1);
    return { key: [name, id, count] as const, position };
  });
  return keyed.sort((a, b) => compareKeys(a.key, b.key));
}

export const listLivePositions = operationTool(operations.listLivePositions, {
  arguments: listArguments,
  outputSchema: listOutputSchema({ ...fieldTypes(LivePosition), age: { type: "string" }, direction: { type: "string" } }),
  run: async ({ limit = DEFAULT_LIMIT, cursor, fields, ...filters }: ListArguments & Record<string, unknown>, context) => {
    const { fleet, settings, callOptions } = context;
    const after = readCursor(cursor, z.tuple([z.string(), z.string(), z.int()]));
    const answer = await fleet.listLivePositions({ ...filters, hideSpeedIfSpeedSensitive: settings.privacy !== "off" }, callOptions);
    const sorted = inOrder(answer);
    const rest = after ? sorted.filter(({ key }) => compareKeys(key, after) > 0) : sorted;
    const rows = rest.slice(0, limit).map(({ position }) => position);
    const hidden = settings.privacy !== "off" && rows.some(({ privacy }) => privacy === true);
    return listResult(
      {
        what: VEHICLE,
        rows,
        total: sorted.length,
        fields: Object.keys(LivePosition.shape),
        defaultFields: DEFAULT_FIELDS,
        next: (shown) => {
          const lastWithMore = rest.slice(0, -1)[shown - 1];
          return lastWithMore && writeCursor(lastWithMore.key);
        },
        columns: {
          date: { meaning: { field: "age", of: ageOf(context.now()) } },
          speed: { unit: "km/h" },
          odometer: { unit: "km" },
          heading: { unit: "degrees", meaning: { field: "direction", of: directionOf } },
        },
        notes: ["Times in UTC.", ...(hidden ? ["Whereabouts on private journeys are withheld."] : [])],
      },
      { fields },
    );
  },
});

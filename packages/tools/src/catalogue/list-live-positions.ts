import { operations } from "@fleetwire/core";
import * as z from "zod";
import type { Position } from "../fleet/privacy.ts";
import { plainText } from "../results/cell.ts";
import { writeCursor } from "../results/cursor.ts";
import { derivedTool } from "./derived-tool.ts";
import type { FlatRow } from "./flat-rows.ts";
import type { ListPlaces } from "./list-places.ts";

type Key = readonly [name: string, id: string, count: number];

// In the order people count in.
const collator = new Intl.Collator("en", { numeric: true });
const compareTexts = (a: string, b: string) => collator.compare(a, b) || Number(a > b) - Number(a < b);
const compareKeys = (a: Key, b: Key) => compareTexts(a[0], b[0]) || compareTexts(a[1], b[1]) || a[2] - b[2];

/** Positions by name, then id, then number among their likes: none of it changes while the fleet moves, so a cursor keeps its place. */
function inOrder(positions: readonly FlatRow[]): { key: Key; row: FlatRow }[] {
  const seen = new Map<string, number>();
  const keyed = positions.map((row) => {
    const { assetName, assetId } = row.row as Position;
    const [name, id] = [plainText(assetName ?? "", 32), plainText(assetId ?? "", 16)];
    const count = seen.get(`${name}\n${id}`) ?? 0;
    seen.set(`${name}\n${id}`, count + 1);
    return { key: [name, id, count] as const, row };
  });
  return keyed.sort((a, b) => compareKeys(a.key, b.key));
}

const byName: ListPlaces = {
  members: [z.string(), z.string(), z.int()],
  fields: () => ({}),
  part: ({ rows }, _, { kept, last }, limit) => {
    const ordered = inOrder(rows);
    const rest = last ? ordered.filter(({ key }) => compareKeys(key, last as Key) > 0) : ordered;
    return {
      rows: rest.slice(0, limit).map(({ row }) => row),
      next: (shown) => {
        const lastWithMore = rest.slice(0, -1)[shown - 1];
        return lastWithMore && writeCursor([...kept, ...lastWithMore.key]);
      },
    };
  },
};

export const listLivePositions = derivedTool(operations.listLivePositions, {
  always: ({ privacy }) => ({ hideSpeedIfSpeedSensitive: privacy !== "off" }),
  places: byName,
});

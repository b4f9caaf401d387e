import { operations } from "@fleetwire/core";
import * as z from "zod";
import { readFleet } from "../fleet/fleet-reader.ts";
import { fullRecords } from "../fleet/full-records.ts";
import { type Position, positionFields, speedInput } from "../fleet/position.ts";
import { singleLine } from "../results/clip-values.ts";
import { derivedTool } from "./derived-tool.ts";
import { keysetPagination } from "./list-pagination.ts";

// Sorts "Truck 2" before "Truck 12".
const collator = new Intl.Collator("en", { numeric: true });

/** Sorts by name, then id. Neither changes while vehicles move, so a cursor stays valid. */
const byName = keysetPagination([z.string(), z.string()], {
  keyOf: ({ assetName, assetId }: Position) => [singleLine(assetName ?? "", 32), singleLine(assetId ?? "", 16)],
  compareTexts: (a, b) => collator.compare(a, b) || Number(a > b) - Number(a < b),
});

const isHeld: (field: string) => boolean = Set.prototype.has.bind(new Set(positionFields));

export const listLivePositions = derivedTool(operations.listLivePositions, {
  fixedInput: speedInput,
  pagination: byName,
  readList: async (input, fields = [], context) => {
    const isWhole = Object.keys(input).every((field) => field in speedInput(context.settings) || input[field] === undefined);
    if (!isWhole) return undefined;
    const { positions } = await readFleet(context);
    // Fields that the view does not hold are read by id.
    return fields.every(isHeld) || positions.every(({ assetId }) => assetId) ? positions : undefined;
  },
  completeRows: async (rows, fields = [], context) => (fields.every(isHeld) ? rows : fullRecords(rows, context)),
});

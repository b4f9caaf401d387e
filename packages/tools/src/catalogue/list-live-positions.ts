import { operations } from "@fleetwire/core";
import * as z from "zod";
import type { Position } from "../fleet/privacy.ts";
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

export const listLivePositions = derivedTool(operations.listLivePositions, {
  fixedInput: ({ privacy }) => ({ hideSpeedIfSpeedSensitive: privacy !== "off" }),
  pagination: byName,
});

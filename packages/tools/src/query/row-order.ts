import { parseDateTime } from "@fleetwire/core/internal";
import * as z from "zod";
import { singleLine } from "../text/clip-values.ts";
import { keysetPagination, type ListPagination } from "./list-pagination.ts";
import type { Row } from "./list-result.ts";

/** An order as written: a field's name, and the direction. */
export interface RowOrder {
  field: string;
  isDescending: boolean;
}

/** More characters than a field's name and a direction need. */
const MAX_ORDER_LENGTH = 200;

/** Reads an order such as `-odometer` or `odometer desc`. */
export function readOrder(sort: string): RowOrder {
  const [, minus, field = "", direction = ""] = /^([-+])? ?(.*?)(?:[ :]+(asc|desc)\w*)?$/i.exec(singleLine(sort, MAX_ORDER_LENGTH)) ?? [];
  return { field, isDescending: minus === "-" || /desc/i.test(direction) };
}

// Sorts "Truck 2" before "Truck 12".
const collator = new Intl.Collator("en", { numeric: true });

const compareTexts = (a: string, b: string) => collator.compare(a, b) || Number(a > b) - Number(a < b);

const MAX_KEY_LENGTH = 32;

const textOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? singleLine(String(value), MAX_KEY_LENGTH) : "";

/** Numbers come first, then times, then text; rows without the value come last. */
const NUMBERS = 0;
const TIMES = 1;
const TEXTS = 2;
const ABSENT = 3;

function sortable(value: unknown): [rank: number, value: number | string] {
  const first = Array.isArray(value) ? value.join(", ") : value;
  if (typeof first === "number" || typeof first === "boolean") return [NUMBERS, Number(first)];
  if (typeof first !== "string" || first === "") return [ABSENT, 0];
  const instant = parseDateTime(first);
  return instant === undefined ? [TEXTS, singleLine(first, MAX_KEY_LENGTH)] : [TIMES, instant];
}

/** The index of the value in a key. */
const VALUE_AT = 1;

const Rank = z.int().min(NUMBERS).max(ABSENT);
const Value = z.union([z.number(), z.string()]);

/** Paginates rows by a field, then by the fields that distinguish rows. */
export function sortedPagination(
  { field, isDescending }: RowOrder,
  ties: readonly [string, string],
  fieldNamed: (field: string) => string,
): ListPagination {
  const tieOf = (row: Row) => ties.map((tie) => textOf(row[tie]));
  // In the fleet's default order, the values do not change while vehicles move, and need to be in a cursor only once.
  if (field === ties[0] && !isDescending) return keysetPagination([z.string(), z.string()], { keyOf: tieOf, compareTexts });
  const keyOf = (row: Row) => {
    const [rank, value] = sortable(row[fieldNamed(field)]);
    return [rank, isDescending && typeof value === "number" ? -value : value, ...tieOf(row)];
  };
  return keysetPagination([Rank, Value, z.string(), z.string()], {
    keyOf,
    // Only the value itself is in descending order.
    compareTexts: (a, b, at) => (isDescending && at === VALUE_AT ? compareTexts(b, a) : compareTexts(a, b)),
  });
}

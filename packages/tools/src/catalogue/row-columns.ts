import { jsonSchemaOf, metadataOf } from "@fleetwire/core";
import type * as z from "zod";
import type { Column } from "../results/list-result.ts";
import { ageOf, directionOf } from "../results/time.ts";

type Fields = Readonly<Record<string, z.ZodType>>;

/** What a row's fields say of themselves. */
export interface RowColumns {
  /** Fields that stand beside another in a record, such as the age of an instant. */
  beside: readonly string[];
  /** Whether any field is an instant. */
  hasInstants: boolean;
  /** The flag that tells that a record's whereabouts are withheld, and the value with which it does. */
  guard: { field: string; withholds: boolean } | undefined;
  /** Units and what stands beside a value, at a time. */
  shown: (now: number) => Readonly<Record<string, Column>>;
}

/** `date` has its `age` beside it, `startDate` its `startAge`, `heading` its `direction`. */
function besideName(field: string, word: "age" | "direction", taken: Fields): string {
  const stem = field.replace(/(DateTime|Date|Time|Heading)$/i, "");
  const name = stem === "" ? word : `${stem}${word[0]?.toUpperCase()}${word.slice(1)}`;
  return Object.hasOwn(taken, name) ? `${field}${word[0]?.toUpperCase()}${word.slice(1)}` : name;
}

/** Units, ages of instants and directions of headings, from the facts of the fields. */
export function rowColumns(fields: Fields): RowColumns {
  const known = Object.entries(fields).map(([field, schema]) => ({ field, schema, facts: metadataOf(schema) }));
  const guard = known.find(({ facts }) => facts?.guard !== undefined);
  const withholds = known.some(({ facts }) => facts?.withheld);
  const instants = known.filter(({ facts }) => facts?.holds === "instant");
  // Only a date-time of a documented form has an age that can be text for sure.
  const dated = instants.filter(({ schema }) => jsonSchemaOf(schema)["format"] === "date-time").map(({ field }) => field);
  const ages = new Map(dated.map((field) => [field, besideName(field, "age", fields)]));
  const headings = known.filter(({ facts }) => facts?.unit === "degrees").map(({ field }) => field);
  const directions = new Map(headings.map((field) => [field, besideName(field, "direction", fields)]));
  return {
    beside: Object.keys(fields).flatMap((field) => ages.get(field) ?? directions.get(field) ?? []),
    hasInstants: instants.length > 0,
    guard: guard && withholds ? { field: guard.field, withholds: guard.facts?.guard ?? true } : undefined,
    shown: (now) =>
      Object.fromEntries(
        known.flatMap(({ field, facts }): [string, Column][] => {
          const [age, direction, unit] = [ages.get(field), directions.get(field), facts?.unit];
          if (age === undefined && direction === undefined && unit === undefined) return [];
          const meaning =
            age !== undefined
              ? { field: age, of: ageOf(now) }
              : direction !== undefined
                ? { field: direction, of: directionOf }
                : undefined;
          return [[field, { ...(unit !== undefined && { unit }), ...(meaning && { meaning }) }]];
        }),
      ),
  };
}

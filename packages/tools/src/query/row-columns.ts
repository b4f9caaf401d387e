import { jsonSchemaOf, metadataOf } from "@fleetwire/core";
import type * as z from "zod";
import type { ToolSettings } from "../model/tool.ts";
import { ageOf, directionOf } from "../text/time.ts";
import type { Column, Row } from "./list-result.ts";
import { valuesOf } from "./meant-texts.ts";

type Fields = Readonly<Record<string, z.ZodType>>;

/** What can be derived about a row from the metadata of its fields. */
export interface RowColumns {
  /** Fields added alongside others, such as the age of an instant. */
  beside: readonly string[];
  /** The field and value that indicate that a record's whereabouts are withheld. */
  guard: { field: string; withholds: boolean } | undefined;
  /** Returns the units and added fields, with ages relative to a given time. */
  shown: (now: number) => Readonly<Record<string, Column>>;
}

/** Names the field added for another one: `age` for `date`, `startAge` for `startDate`, `direction` for `heading`. */
function besideName(field: string, word: "age" | "direction", taken: Fields): string {
  const stem = field.replace(/(DateTime|Date|Time|Heading)$/i, "");
  const name = stem === "" ? word : `${stem}${word[0]?.toUpperCase()}${word.slice(1)}`;
  return Object.hasOwn(taken, name) ? `${field}${word[0]?.toUpperCase()}${word.slice(1)}` : name;
}

/** Derives units, ages and compass directions from the fields' metadata. */
export function rowColumns(fields: Fields): RowColumns {
  const existing = Object.entries(fields).map(([field, schema]) => ({ field, schema, facts: metadataOf(schema) }));
  const guard = existing.find(({ facts }) => facts?.guard !== undefined);
  const withholds = existing.some(({ facts }) => facts?.withheld);
  const instants = existing.filter(({ facts }) => facts?.holds === "instant");
  // An age is reliable only if the date-time format is documented.
  const dated = instants.filter(({ schema }) => jsonSchemaOf(schema)["format"] === "date-time").map(({ field }) => field);
  const ages = new Map(dated.map((field) => [field, besideName(field, "age", fields)]));
  const headings = existing.filter(({ facts }) => facts?.unit === "degrees").map(({ field }) => field);
  const directions = new Map(headings.map((field) => [field, besideName(field, "direction", fields)]));
  return {
    beside: Object.keys(fields).flatMap((field) => ages.get(field) ?? directions.get(field) ?? []),
    guard: guard && withholds ? { field: guard.field, withholds: guard.facts?.guard ?? true } : undefined,
    shown: (now) =>
      Object.fromEntries(
        existing.flatMap(({ field, facts }): [string, Column][] => {
          const [age, direction, unit] = [ages.get(field), directions.get(field), facts?.unit];
          const isInstant = facts?.holds === "instant";
          if (!isInstant && direction === undefined && unit === undefined) return [];
          const meaning =
            age !== undefined
              ? { field: age, of: ageOf(now) }
              : direction !== undefined
                ? { field: direction, of: directionOf }
                : undefined;
          return [[field, { ...(isInstant && { isInstant }), ...(unit !== undefined && { unit }), ...(meaning && { meaning }) }]];
        }),
      ),
  };
}

export const isAbsent = (value: unknown): boolean => value === "" || valuesOf(value).length === 0;

/** Says why these rows may lack a field; empty if the only possible reason is that it was not reported. */
export function reasonsAbsent(
  schema: z.ZodType | undefined,
  rows: readonly Row[],
  { guard }: Pick<RowColumns, "guard">,
  { privacy }: Pick<ToolSettings, "privacy">,
): string {
  const { withheld, omittedFor } = (schema && metadataOf(schema)) ?? {};
  if (privacy === "off") return "";
  const isPrivate = withheld && guard && rows.some((row) => row[guard.field] === guard.withholds);
  const reasons = [
    ...(omittedFor === undefined ? [] : [`hidden for ${omittedFor}`]),
    ...(isPrivate ? ["withheld on private journeys"] : []),
  ];
  return reasons.length === 0 ? "" : `${reasons.join(", ")}, or not reported`;
}

export const inBrackets = (text: string): string => text && ` (${text})`;

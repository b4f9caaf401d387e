import { definitionOf } from "@fleetwire/core/internal";
import { expect, it } from "vitest";
import * as z from "zod";
import { metadataOf, type Operation, operations } from "../src/index.ts";
import { measure, text, upTo, withheld } from "../src/schemas/field-metadata.ts";
import { Double, GuardingFlag } from "../src/schemas/scalars.ts";

type Schema = z.core.$ZodType;
type Fields = Readonly<Record<string, Schema>>;

const innerOf = (schema: Schema): Schema | undefined => {
  const { innerType, element } = definitionOf(schema) as { innerType?: Schema; element?: Schema };
  return innerType ?? element;
};

/** The innermost type of a value or of a list's entries. */
function within(schema: Schema): Schema {
  const inner = innerOf(schema);
  return inner ? within(inner) : schema;
}

function descriptionOf(schema: Schema): string {
  const inner = innerOf(schema);
  return z.globalRegistry.get(schema)?.description ?? (inner ? descriptionOf(inner) : "");
}

const shapeOf = (schema: Schema) => (definitionOf(within(schema)) as { shape?: Fields }).shape;
const isGuard = (schema: Schema) => metadataOf(schema)?.guard !== undefined || metadataOf(schema)?.journeyOf !== undefined;

/** Units as a description names them; the first match counts. */
const UNITS: readonly [unit: string, words: RegExp][] = [
  ["km/h", /\bkm\/h\b|kilomet\w+ (an|per) hour/i],
  ["rpm", /\brpm\b|revolutions (a|per) minute/i],
  ["km", /\bkm\b|\bkilometres?\b/i],
  ["m", /\bmetres\b/i],
  ["degrees", /\bdegrees?\b/i],
  ["l", /\blitres?\b/i],
  ["%", /\bper ?cent\b|%/i],
  ["h", /\bhours?\b/i],
  ["min", /\bminutes?\b/i],
  ["s", /\bseconds?\b/i],
];
const [PLACES, CONTACT]: readonly unknown[][] = [
  ["latitude", "longitude", "place", "country"],
  ["contact", "email", "phone"],
];

/** What is wrong with a field of a record: whether one with a guard is around it, whether a caller sends it, and whether it is an input itself. */
function* problemsOf(name: string, schema: Schema, guarded: boolean, isSent: boolean, isInput: boolean): Generator<string> {
  const facts = metadataOf(schema);
  const { holds, unit, withheld, shown, confidential } = facts ?? {};
  if (!facts && !shapeOf(schema)) yield "does not state what it holds";
  if (isInput && CONTACT?.includes(holds) && !confidential) yield "is contact data, which errors would repeat";
  if (!isSent && /^(is)?_?(privacy|private)/i.test(name) && !shapeOf(schema) && !isGuard(schema)) yield "is a flag that fails open";
  if (!isSent && withheld && !guarded) yield "is withheld, but its record has no guard";
  const reveals = PLACES?.includes(holds) || /location|heading|speed|division/i.test(name);
  if (!isSent && guarded && facts && !withheld && shown === undefined && reveals) yield "reveals a place in a record with a guard";
  const stated = UNITS.find(([, words]) => words.test(descriptionOf(schema)))?.[0];
  const isNumber = definitionOf(within(schema)).type === "number" && !PLACES?.includes(holds);
  if (isNumber && facts && stated !== undefined && unit !== stated) yield `is in ${stated} according to its description`;
}

/** What is wrong with the fields of a record, at any depth. The parts of a withheld value need no metadata. */
function findingsIn(fields: Fields, owner: string, isSent: boolean, around = false, seen: readonly Schema[] = []): string[] {
  const guarded = around || Object.values(fields).some(isGuard);
  return Object.entries(fields).flatMap(([name, schema]) => {
    const facts = metadataOf(schema);
    const [object, shape, field] = [within(schema), shapeOf(schema), `${owner}.${name}`];
    const below = shape && !facts?.withheld && !seen.includes(object) ? findingsIn(shape, field, isSent, guarded, [...seen, object]) : [];
    return [
      ...[...problemsOf(name, schema, guarded, isSent, isSent && seen.length === 0)].map((problem) => `${field}: ${problem}`),
      ...below,
    ];
  });
}

it.each(Object.values<Operation>(operations))("$name: every field states its kind, its unit and its guard", (operation) => {
  const { params, query, body, output } = operation;
  expect(findingsIn({ ...params, ...query, ...body }, "request", true)).toEqual([]);
  expect(findingsIn(shapeOf(output) ?? {}, "response", false)).toEqual([]);
});

it("a field without its kind, its unit or its guard is found", () => {
  const speed = measure(Double, upTo(500), "km").describe("Speed in km/h");
  const [place, note] = [text("place"), z.string()];
  expect(findingsIn({ privacy: GuardingFlag, speed: withheld(speed), place, note }, "one", false)).toEqual([
    "one.speed: is in km/h according to its description",
    "one.place: reveals a place in a record with a guard",
    "one.note: does not state what it holds",
  ]);
  expect(findingsIn({ isPrivate: z.boolean(), road: withheld(place) }, "one", false)).toEqual([
    "one.isPrivate: is a flag that fails open",
    "one.road: is withheld, but its record has no guard",
  ]);
  expect(findingsIn({ phone: text("phone") }, "one", true)).toEqual(["one.phone: is contact data, which errors would repeat"]);
});

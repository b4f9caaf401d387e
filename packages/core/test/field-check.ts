import * as z from "zod";
import { type FieldMetadata, metadataOf, type Operation } from "../src/index.ts";
import { definitionOf } from "../src/internal.ts";

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

const shapeOf = (schema: Schema) => (definitionOf(within(schema)) as { shape?: Fields }).shape;

function descriptionOf(schema: Schema): string {
  const inner = innerOf(schema);
  return z.globalRegistry.get(schema)?.description ?? (inner ? descriptionOf(inner) : "");
}

interface Site {
  /** The shape or the part of the request, and the field: "LivePosition.speed". */
  field: string;
  name: string;
  schema: Schema;
  side: "request" | "response";
  facts: FieldMetadata | undefined;
  /** Whether it is an input field itself, not nested in one. */
  isInput: boolean;
  /** Whether this record or an enclosing one has a guard. */
  guarded: boolean;
}

function isGuard(schema: Schema): boolean {
  const { guard, journeyOf } = metadataOf(schema) ?? {};
  return guard !== undefined || journeyOf !== undefined;
}

/** Every field of a shape, at any depth. The parts of a withheld value need no metadata. */
function sitesIn(fields: Fields, owner: string, around: Pick<Site, "side" | "guarded">, seen: readonly Schema[] = []): Site[] {
  const guarded = around.guarded || Object.values(fields).some(isGuard);
  return Object.entries(fields).flatMap(([name, schema]) => {
    const facts = metadataOf(schema);
    const site = { ...around, field: `${owner}.${name}`, name, schema, facts, guarded, isInput: seen.length === 0 };
    return [site, ...(facts?.withheld ? [] : sitesBelow(schema, site.field, { ...around, guarded }, seen))];
  });
}

function sitesBelow(schema: Schema, owner: string, around: Pick<Site, "side" | "guarded">, seen: readonly Schema[] = []): Site[] {
  const [object, shape] = [within(schema), shapeOf(schema)];
  return shape && !seen.includes(object) ? sitesIn(shape, z.globalRegistry.get(object)?.id ?? owner, around, [...seen, object]) : [];
}

const isText = (schema: Schema) => definitionOf(within(schema)).type === "string";
const isNumber = ({ schema, facts }: Site) =>
  definitionOf(within(schema)).type === "number" || (!isText(schema) && typeof facts?.holds === "object");

/** Field names that imply a kind; the first match wins. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/group.*name|name.*group/i, "name"],
  [/(driver|person).*name|name.*(driver|person)|^(driver|person)s?$/i, "person"],
  [/e-?mail/i, "email"],
  [/phone/i, "phone"],
  [/Ids?$|^ids?$/, "id"],
  [/registration/i, "registration"],
  [/vin$/i, "vin"],
  [/^lat$|Lat$|latitude$/i, "latitude"],
  [/^(lng|lon)$|L(ng|on)$|longitude$/i, "longitude"],
  [/address|street|^road|^city$|city$|post_?code/i, "place"],
  [/url$|link$/i, "url"],
  [/(date|time|timestamp)$/i, "instant"],
];

/** Words for a unit in a description. */
const UNITS: readonly (readonly [string, RegExp])[] = [
  ["km/h", /\bkm\/h\b|\bkph\b|kilomet\w+ (an|per) hour/i],
  ["rpm", /\brpm\b|revolutions (a|per) minute/i],
  ["km", /\bkm\b(?!\/)|\bkilomet(re|er)s?\b(?! (an|per))/i],
  ["m", /\bmet(re|er)s\b/i],
  ["degrees", /\bdegrees?\b/i],
  ["l", /\blit(re|er)s?\b/i],
  ["%", /\bper ?cent\b|%/i],
  ["h", /\bhours?\b/i],
  ["min", /\bminutes?\b/i],
  ["s", /\bseconds?\b/i],
];

/** Job fields passed through because the interface does not state their form (docs/decisions.md, Requests). */
const PASSED_THROUGH =
  /statusChangeTimestamp|actualStart|actualEnd|eta|lastEtaCalcTime|lastServerTime|\.date|jobScheduledStart|\.timestamp$/;
const PLACES: readonly unknown[] = ["latitude", "longitude", "place", "country"];
const CONTACT: readonly unknown[] = ["contact", "email", "phone"];
/** Names of fields that reveal a journey like a place does, whatever they hold. */
const REVEALS_A_JOURNEY = /location|heading|speed|division/i;

/** What is wrong with a field, by rule. */
function* problemsOf(site: Site): Generator<string> {
  const { facts, field, guarded, name, schema, side, isInput } = site;
  const { holds } = facts ?? {};
  if (side === "request" && isInput && CONTACT.includes(holds) && !facts?.confidential) yield "is contact data, which errors would repeat";
  if (!facts && !shapeOf(schema)) yield "does not state what it holds";
  const kind = NAMES.find(([pattern]) => pattern.test(name))?.[1];
  if (kind && holds && holds !== kind && (isText(schema) || (isNumber(site) && /itude$/.test(kind))))
    yield `holds ${typeof holds === "object" ? "a measurement" : holds}, but its name suggests ${kind}`;
  if (side === "response") {
    if (/^(is)?_?(privacy|private)/i.test(name) && !shapeOf(schema) && !isGuard(schema)) yield "is a flag that fails open";
    if (facts?.withheld && !guarded) yield "is withheld, but its record has no guard";
    if (guarded && facts && !facts.withheld && facts.shown === undefined && (PLACES.includes(holds) || REVEALS_A_JOURNEY.test(name)))
      yield "reveals a place or a journey in a record with a guard";
  } else if (holds === "instant" && definitionOf(within(schema)).type !== "pipe" && !PASSED_THROUGH.test(field)) {
    yield "takes an instant as a plain string, which loses its time zone";
  }
  if (!isNumber(site) || !facts || PLACES.includes(holds)) return;
  const unit = UNITS.find(([, words]) => words.test(descriptionOf(schema)))?.[0];
  if (/unit not stated/.test(descriptionOf(schema)) && facts.unit) yield `states the unit ${facts.unit}, but its description does not`;
  else if (unit !== undefined && facts.unit !== unit) yield `is in ${unit} according to its description`;
}

/** What is wrong with the metadata of an operation's fields: the field and the problem. */
export function fieldFindings({ name, params, query, body, output }: Operation): string[] {
  const sites = [
    ...Object.entries({ path: params, query, body }).flatMap(([part, fields]) =>
      fields ? sitesIn(fields, `${name}, ${part}`, { guarded: false, side: "request" }) : [],
    ),
    ...sitesBelow(output, `${name}, response`, { guarded: false, side: "response" }),
  ];
  const found = sites.flatMap((site) => [...problemsOf(site)].map((problem) => `${site.field}: ${problem}`));
  const idle = sites.filter(({ schema, field }) => {
    const owner = field.slice(0, field.lastIndexOf("."));
    const guards = metadataOf(schema)?.guard !== undefined;
    return guards && !sites.some((other) => other.facts?.withheld && other.guarded && other.field.startsWith(owner));
  });
  return [...new Set([...found, ...idle.map(({ field }) => `${field}: guards no field`)])];
}

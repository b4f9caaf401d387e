import * as z from "zod";
import * as core from "../src/index.ts";
import { type FieldMetadata, metadataOf, type Operation, type Sensitivity } from "../src/index.ts";

type Schema = z.core.$ZodType;
type Fields = Readonly<Record<string, Schema>>;

interface Definition {
  type: string;
  innerType?: Schema;
  element?: Schema;
  shape?: Fields;
}

const definitionOf = (schema: Schema) => schema._zod.def as Definition;

/** The innermost type of a value or of a list's entries. */
function within(schema: Schema): Schema {
  const { innerType, element } = definitionOf(schema);
  const inner = innerType ?? element;
  return inner ? within(inner) : schema;
}

const shapeOf = (schema: Schema) => definitionOf(within(schema)).shape;

function descriptionOf(schema: Schema): string {
  const { innerType, element } = definitionOf(schema);
  const inner = innerType ?? element;
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

/** The public shapes, whose fields a request body may reuse. */
const publicShapes = Object.entries(core).flatMap(([name, value]) =>
  value instanceof z.ZodObject ? [{ name, fields: value.shape as Fields }] : [],
);

function sitesIn(fields: Fields, owner: string, around: Pick<Site, "side" | "guarded">, seen: readonly Schema[] = []): Site[] {
  const guarded = around.guarded || Object.values(fields).some(isGuard);
  return Object.entries(fields).flatMap(([name, schema]) => {
    const facts = metadataOf(schema);
    const site = { ...around, field: `${owner}.${name}`, name, schema, facts, guarded, isInput: seen.length === 0 };
    // The parts of a withheld value need no metadata.
    if (facts?.withheld) return [site];
    return [site, ...sitesBelow(schema, site.field, { ...around, guarded }, seen)];
  });
}

function sitesBelow(schema: Schema, owner: string, around: Pick<Site, "side" | "guarded">, seen: readonly Schema[] = []): Site[] {
  const object = within(schema);
  const shape = shapeOf(object);
  if (!shape || seen.includes(object)) return [];
  return sitesIn(shape, z.globalRegistry.get(object)?.id ?? owner, around, [...seen, object]);
}

/** Every field of an operation's request and response, at any depth. */
function sitesOf({ name, params, query, body, output }: Operation): Site[] {
  const parts = Object.entries({ path: params, query, body }).flatMap(([part, fields]) => {
    const shape = publicShapes.find((each) => each.fields === fields)?.name;
    return fields ? sitesIn(fields, shape ?? `${name}, ${part}`, { guarded: false, side: "request" }) : [];
  });
  return [...parts, ...sitesBelow(output, `${name}, response`, { guarded: false, side: "response" })];
}

const isText = ({ schema }: Site) => definitionOf(within(schema)).type === "string";
const isNumber = ({ schema, facts }: Site) =>
  definitionOf(within(schema)).type === "number" || (!isText({ schema } as Site) && typeof facts?.holds === "object");

/** Field names that imply a kind; the first match wins. */
const NAMES: readonly (readonly [RegExp, Sensitivity])[] = [
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
  `JobRequest.statusChangeTimestamp JobRequest.actualStart JobRequest.actualEnd JobRequest.eta JobRequest.lastEtaCalcTime
JobRequest.lastServerTime StatusHistoryEntry.date JobHistoryEntry.date JobPhoto.date JobSignature.date VisitResult.jobScheduledStart
TaskAnswer.timestamp`.split(/\s+/);

/** Returns what is wrong with a field and how to fix it, if anything. */
type Rule = (site: Site) => string | undefined;

const statesItsKind: Rule = ({ schema, facts }) =>
  facts || shapeOf(schema)
    ? undefined
    : `does not state what it holds: use, for example, text("name") or measure(Double, upTo(500), "km/h")`;

const matchesItsName: Rule = (site) => {
  const [, kind] = NAMES.find(([name]) => name.test(site.name)) ?? [];
  const { holds } = site.facts ?? {};
  if (kind === undefined || holds === undefined || holds === kind) return undefined;
  if (!isText(site) && !(isNumber(site) && /itude$/.test(String(kind)))) return undefined;
  return `holds ${typeof holds === "object" ? "a measurement" : holds}, but its name suggests ${kind}`;
};

const PLACES: readonly unknown[] = ["latitude", "longitude", "place", "country"];
/** Names of fields that reveal a journey like a place does, whatever they hold. */
const REVEALS_A_JOURNEY = /location|heading|speed|division/i;

const UNGUARDED = "is withheld, but its record has no guard: declare one as GuardingFlag";

const withholdsPlaces: Rule = ({ name, guarded, side, facts }) => {
  if (side === "request" || !facts) return undefined;
  if (facts.withheld && !guarded) return UNGUARDED;
  if (!guarded || facts.withheld || facts.shown !== undefined) return undefined;
  if (!PLACES.includes(facts.holds) && !REVEALS_A_JOURNEY.test(name)) return undefined;
  return "reveals a place or a journey in a record with a guard: declare it as withheld(...), or why it is shown";
};

const guards: Rule = ({ name, side, schema }) =>
  side === "response" && /^(is)?_?(privacy|private)/i.test(name) && !shapeOf(schema) && !isGuard(schema)
    ? "is a flag that fails open: declare it as GuardingFlag"
    : undefined;

const statesItsUnit: Rule = (site) => {
  const { facts, schema } = site;
  if (!isNumber(site) || !facts || PLACES.includes(facts.holds)) return undefined;
  const description = descriptionOf(schema);
  const [unit] = UNITS.find(([, words]) => words.test(description)) ?? [];
  if (/unit not stated/.test(description) && facts.unit) return `states the unit ${facts.unit}, but its description does not`;
  return unit !== undefined && facts.unit !== unit ? `is in ${unit} according to its description: state that unit` : undefined;
};

const keepsTheTimeZone: Rule = ({ side, facts, schema, field }) =>
  side === "request" && facts?.holds === "instant" && definitionOf(within(schema)).type !== "pipe" && !PASSED_THROUGH.includes(field)
    ? "takes an instant as a plain string, which loses its time zone: use UtcSeconds, UtcMinutes or UtcInstant"
    : undefined;

const CONTACT: readonly unknown[] = ["contact", "email", "phone"];

const keepsConfidence: Rule = ({ side, facts, isInput }) =>
  side === "request" && isInput && CONTACT.includes(facts?.holds) && !facts?.confidential
    ? "is contact data, which errors would repeat: declare it as confidential(...)"
    : undefined;

const RULES: readonly Rule[] = [keepsConfidence, statesItsKind, matchesItsName, guards, withholdsPlaces, statesItsUnit, keepsTheTimeZone];

/** Records with a privacy flag that withhold nothing, by shape. */
function guardedForNothing(sites: readonly Site[]): string[] {
  return sites.flatMap(({ field, schema }) => {
    const owner = field.slice(0, field.lastIndexOf("."));
    if (
      metadataOf(schema)?.guard === undefined ||
      sites.some(({ facts, guarded, field: other }) => facts?.withheld && guarded && other.startsWith(owner))
    )
      return [];
    return [`${field}: guards no field: declare what a private journey hides as withheld(...)`];
  });
}

/** What is wrong with the metadata of an operation's fields: the field and the fix. */
export function fieldFindings(operation: Operation): string[] {
  const sites = sitesOf(operation);
  // A flag that fails open guards nothing: report it alone, instead of everything it should guard.
  const failsOpen = sites.some(guards);
  const findings = sites.flatMap((site) =>
    RULES.flatMap((rule) => {
      const wrong = rule(site);
      return wrong === undefined || (failsOpen && wrong === UNGUARDED) ? [] : [`${site.field}: ${wrong}`];
    }),
  );
  return [...new Set([...findings, ...guardedForNothing(sites)])];
}

import { type Change, canonical, type Face, type Impact, isSame, pairs } from "./change.ts";

export type Schema = { readonly [keyword: string]: unknown };

/** Which way the data goes: what callers send, or what they get. */
export type Direction = "request" | "response";

/** What an edit does to the set of valid values. */
type Effect = "narrows" | "widens" | "replaces";

/** Fewer requests are accepted, or responses may hold what no response held: both break callers. */
const impactOf = (effect: Effect, direction: Direction): Impact =>
  effect === "replaces" || (effect === "narrows") === (direction === "request") ? "breaking" : "additive";

const WORDS = new Set(["description", "title", "example", "examples", "$comment", "summary"]);
const LOWER_BOUNDS = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"]);
const UPPER_BOUNDS = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"]);
/** Keywords that are compared together with others, by name. */
const STRUCTURE = new Set(["$ref", "$defs", "type", "enum", "const", "properties", "required", "items", "additionalProperties"]);
const ALTERNATIVES = new Set(["anyOf", "oneOf", "allOf"]);
/** A schema within schemas deeper than this is compared as a whole. */
const MAX_DEPTH = 40;

const shown = (value: unknown) => `\`${canonical(value)}\``;

const asSchema = (value: unknown): Schema => (typeof value === "object" && value !== null ? (value as Schema) : {});

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : []);

/** The types that a schema allows; undefined if it allows any. */
const typesOf = ({ type }: Schema): string[] | undefined => (typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined);

/** The values that a schema lists; undefined if it lists none. */
const valuesOf = (schema: Schema): unknown[] | undefined =>
  "const" in schema ? [schema["const"]] : Array.isArray(schema["enum"]) ? schema["enum"] : undefined;

const includesType = (types: readonly string[], type: string) => types.includes(type) || (type === "integer" && types.includes("number"));

/** Compares the JSON Schemas of two versions. */
export class SchemaComparison {
  readonly changes: Change[] = [];
  readonly #faces: readonly Face[];
  readonly #roots: { before: unknown; after: unknown };
  readonly #compared = new Set<string>();

  constructor(faces: readonly Face[], before: unknown, after: unknown) {
    this.#faces = faces;
    this.#roots = { before, after };
  }

  #add(impact: Impact, rule: string, at: string, text: string, faces = this.#faces): void {
    this.changes.push({ impact, faces, rule, at, text });
  }

  /** Compares two schemas, which may refer to parts of their documents. */
  compare(oldSchema: unknown, newSchema: unknown, direction: Direction, path: string, depth = 0): void {
    if (isSame(oldSchema, newSchema) && !canonical(oldSchema).includes('"$ref"')) return;
    const [from, to] = [asSchema(oldSchema), asSchema(newSchema)];
    const [oldName, newName] = [nameOf(from), nameOf(to)];
    const at = newName ?? path;
    if (from["$ref"] !== undefined && to["$ref"] !== undefined) {
      const key = canonical([direction, from["$ref"], to["$ref"]]);
      if (this.#compared.has(key)) return;
      this.#compared.add(key);
      if (oldName !== undefined && newName !== undefined && oldName !== newName)
        this.#add("breaking", "type-renamed", newName, `The type \`${oldName}\` is now called \`${newName}\`.`, ["client"]);
    }
    if (depth > MAX_DEPTH) {
      if (!isSame(from, to)) this.#add("breaking", "schema-changed", at, `\`${at}\` has another schema.`);
      return;
    }
    const [before, after] = [resolve(from, this.#roots.before), resolve(to, this.#roots.after)];
    this.#types(before, after, direction, at);
    this.#values(before, after, direction, at);
    this.#properties(before, after, direction, at, depth);
    if (before["items"] !== undefined && after["items"] !== undefined)
      this.compare(before["items"], after["items"], direction, `${at}[]`, depth + 1);
    else this.#keyword("items", before["items"], after["items"], direction, at);
    this.#others(before, after, direction, at, depth);
    for (const { name, before: old, after: now } of pairs(before, after)) {
      if (ALTERNATIVES.has(name)) this.#alternatives(name, old, now, direction, at, depth);
      else if (!STRUCTURE.has(name)) this.#keyword(name, old, now, direction, at);
    }
  }

  #types(before: Schema, after: Schema, direction: Direction, at: string): void {
    const [old, now] = [typesOf(before), typesOf(after)];
    if (isSame(old, now)) return;
    const isNarrower = !old || now?.every((type) => includesType(old, type));
    const isWider = !now || old?.every((type) => includesType(now, type));
    const effect = isNarrower ? "narrows" : isWider ? "widens" : "replaces";
    const words = (types: string[] | undefined) => types?.join(" or ") ?? "any type";
    this.#add(impactOf(effect, direction), "type-changed", at, `\`${at}\` is now ${words(now)}; it was ${words(old)}.`);
  }

  #values(before: Schema, after: Schema, direction: Direction, at: string): void {
    const [old, now] = [valuesOf(before), valuesOf(after)];
    if (old === undefined && now === undefined) return;
    if (old === undefined || now === undefined) {
      const [effect, words] = now ? (["narrows", `only ${now.map(shown).join(", ")}`] as const) : (["widens", "any value"] as const);
      this.#add(impactOf(effect, direction), now ? "values-set" : "values-unset", at, `\`${at}\` is now ${words}.`);
      return;
    }
    const lacks = (values: unknown[], value: unknown) => !values.some((other) => isSame(other, value));
    // Callers get values that they do not know as they are.
    for (const value of now.filter((one) => lacks(old, one)))
      this.#add("additive", "value-added", at, `\`${at}\` may now be ${shown(value)}.`);
    for (const value of old.filter((one) => lacks(now, one)))
      this.#add(impactOf("narrows", direction), "value-removed", at, `\`${at}\` is no longer ${shown(value)}.`);
  }

  #properties(before: Schema, after: Schema, direction: Direction, at: string, depth: number): void {
    const [oldRequired, newRequired] = [textsOf(before["required"]), textsOf(after["required"])];
    const members = pairs(asSchema(before["properties"]) as Record<string, unknown>, asSchema(after["properties"]));
    for (const { name, before: old, after: now } of members) {
      const member = at === "" ? name : `${at}.${name}`;
      const isRequired = newRequired.includes(name);
      if (now === undefined) {
        const text = direction === "request" ? `\`${member}\` can no longer be given.` : `Responses no longer have \`${member}\`.`;
        this.#add("breaking", "property-removed", member, text);
      } else if (old === undefined) {
        const must = isRequired && direction === "request";
        const text = must
          ? `\`${member}\` must be given.`
          : direction === "request"
            ? `\`${member}\` can be given.`
            : `Responses have \`${member}\`.`;
        this.#add(must ? "breaking" : "additive", "property-added", member, text);
      } else {
        if (oldRequired.includes(name) !== isRequired) {
          const words = direction === "request" ? "be given" : "be present";
          const text = isRequired ? `\`${member}\` must now ${words}.` : `\`${member}\` need no longer ${words}.`;
          this.#add(impactOf(isRequired ? "narrows" : "widens", direction), isRequired ? "now-required" : "now-optional", member, text);
        }
        this.compare(old, now, direction, member, depth + 1);
      }
    }
  }

  #others(before: Schema, after: Schema, direction: Direction, at: string, depth: number): void {
    const [old = true, now = true] = [before["additionalProperties"], after["additionalProperties"]];
    if (typeof old === "object" && typeof now === "object") this.compare(old, now, direction, `${at}.*`, depth + 1);
    if (isSame(old, now) || (typeof old === "object" && typeof now === "object")) return;
    const effect: Effect = old === true || now === false ? "narrows" : "widens";
    const text =
      effect === "narrows" ? `\`${at}\` takes fewer members that it does not name.` : `\`${at}\` takes more members that it does not name.`;
    this.#add(impactOf(effect, direction), "other-members-changed", at, text);
  }

  #alternatives(name: string, old: unknown, now: unknown, direction: Direction, at: string, depth: number): void {
    const list = (value: unknown) => (Array.isArray(value) ? value : []);
    const removed = list(old).filter((one) => !list(now).some((other) => isSame(one, other)));
    const added = list(now).filter((one) => !list(old).some((other) => isSame(one, other)));
    if (removed.length === added.length) {
      for (const [index, one] of removed.entries()) this.compare(one, added[index], direction, at, depth + 1);
      return;
    }
    const isConjunction = name === "allOf";
    const [more, fewer] = isConjunction ? (["narrows", "widens"] as const) : (["widens", "narrows"] as const);
    // The first alternatives restrict what could be anything.
    const first = list(old).length === 0 && !isConjunction ? "narrows" : more;
    const last = list(now).length === 0 && !isConjunction ? "widens" : fewer;
    if (added.length > removed.length)
      this.#add(impactOf(first, direction), "alternative-added", at, `\`${at}\` has another alternative (${name}).`);
    else this.#add(impactOf(last, direction), "alternative-removed", at, `\`${at}\` has fewer alternatives (${name}).`);
  }

  #keyword(name: string, old: unknown, now: unknown, direction: Direction, at: string): void {
    if (isSame(old, now)) return;
    if (WORDS.has(name)) this.#add("cosmetic", "words-changed", at, `\`${at}\` is described in other words.`);
    else if (name === "default") {
      const assumed = now === undefined ? "no value" : shown(now);
      this.#add("additive", "default-changed", at, `If \`${at}\` is omitted, ${assumed} is assumed.`);
    } else if (name === "deprecated")
      this.#add("additive", "deprecation-changed", at, `\`${at}\` is ${now === true ? "deprecated" : "no longer deprecated"}.`);
    else {
      const was = old === undefined ? "" : `; it was ${shown(old)}`;
      const words = now === undefined ? `no longer has ${name} ${shown(old)}` : `has ${name} ${shown(now)}${was}`;
      this.#add(impactOf(constraintEffect(name, old, now), direction), "constraint-changed", at, `\`${at}\` ${words}.`);
    }
  }
}

/** What another value of a keyword does that restricts values. */
function constraintEffect(name: string, old: unknown, now: unknown): Effect {
  if (old === undefined || old === false) return "narrows";
  if (now === undefined || now === false) return "widens";
  const isRaised = Number(now) > Number(old);
  if (LOWER_BOUNDS.has(name)) return isRaised ? "narrows" : "widens";
  return UPPER_BOUNDS.has(name) ? (isRaised ? "widens" : "narrows") : "replaces";
}

const REFERENCE = /^#\/(?:components\/schemas|\$defs)\/([^/]+)$/;

const nameOf = ({ $ref }: Schema): string | undefined => (typeof $ref === "string" ? REFERENCE.exec($ref)?.[1] : undefined);

const MAX_REFERENCES = 20;

/** A schema with what it refers to. A reference that leads nowhere, or round, stays as it is. */
function resolve(schema: Schema, root: unknown, hops = 0): Schema {
  const { $ref, ...beside } = schema;
  if (typeof $ref !== "string" || !$ref.startsWith("#/") || hops === MAX_REFERENCES) return schema;
  let target: unknown = root;
  for (const step of $ref.slice(2).split("/")) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const holder = asSchema(target);
    target = Object.hasOwn(holder, name) ? holder[name] : undefined;
  }
  return target === undefined ? schema : { ...resolve(asSchema(target), root, hops + 1), ...beside };
}

import { isRecord, type Operation } from "@fleetwire/core";
import type * as z from "zod";
import { compilePlan, holdsUndocumented, type Plan, type Protection, type RecordPlan } from "./masking-plan.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { hideUndocumented, isOfDriver, learnUndocumented } from "./undocumented-fields.ts";

/** Masks the values of one schema before a model sees them. */
export interface Mask {
  /** Whether the mask never changes anything. */
  isNoop: boolean;
  /** Whether names may occur in undocumented fields, so that the drivers' names should be read first. */
  needsNames: boolean;
  /** Remembers the names in a value that will be masked later. */
  learn: (value: unknown) => void;
  /** Returns a masked copy of a value, or the value itself if nothing has to be masked. Never modifies the value. */
  apply: <Value>(value: Value) => Value;
}

type Fields = Readonly<Record<string, unknown>>;

/** Where a value is: its field, the record that contains it, and the field that contains this record. */
interface Place {
  field: string;
  record?: Fields;
  recordField: string;
}

const WHOLE: Place = { field: "", recordField: "" };

/** Returns all texts in the arguments of a call. */
function textsIn(value: unknown): string {
  if (typeof value === "object" && value !== null) return Object.values(value).map(textsIn).join("\n");
  return typeof value === "string" ? value : "";
}

/** Whether a flag marks a journey as private. Unexpected values count as private. */
const marksPrivate = (flag: unknown, guard: boolean) => flag !== undefined && flag !== null && flag !== !guard;

/** Whether a plan defines a field. In a union, it is enough if one option does. */
function names(plan: Plan, field: string): boolean {
  if (plan.kind === "oneOf") return plan.options.some((option) => names(option, field));
  return plan.kind === "record" && (plan.isMap || plan.fields.has(field));
}

/** Removes whereabouts from a record on a private journey, and undocumented fields too, because they may reveal a place. */
function withoutWhereabouts(given: Fields, withheld: Fields, whole: Plan): Fields {
  const shown: Record<string, unknown> = { ...given, ...withheld };
  for (const field of Object.keys(shown)) if (!names(whole, field)) delete shown[field];
  return shown;
}

/**
 * Decides what a model may see in records: no whereabouts on private journeys, and pseudonyms instead of drivers' names if these are
 * hidden. This depends on field metadata, which is compiled into one plan per schema on first use. Records are masked before
 * names are resolved, so that searching for a name cannot reveal what a result would hide.
 */
export class Privacy {
  readonly #protection: Protection;
  readonly #pseudonyms: Pseudonyms;
  readonly #masks = new WeakMap<z.core.$ZodType, Mask>();

  constructor({ privacy, driverNames }: { privacy: string; driverNames: string }, pseudonyms: Pseudonyms) {
    this.#protection = { withholds: privacy !== "off", hidesNames: driverNames !== "show" };
    this.#pseudonyms = pseudonyms;
  }

  get hidesNames(): boolean {
    return this.#protection.hidesNames;
  }

  /** Whether no protection is in effect. */
  get isOff(): boolean {
    return !this.#protection.withholds && !this.#protection.hidesNames;
  }

  /** Returns the mask for a schema's values. */
  maskOf(schema: z.core.$ZodType): Mask {
    const known = this.#masks.get(schema);
    if (known) return known;
    const plan = compilePlan(schema, this.#protection);
    const learn = (value: unknown) => {
      if (this.#protection.hidesNames) this.#learn(plan, value, WHOLE.field);
    };
    const mask: Mask = {
      isNoop: plan.kind === "nothing",
      needsNames: holdsUndocumented(plan),
      learn,
      apply: (value) => {
        // Names are learned first: a name may occur before the field that identifies it as a name.
        learn(value);
        return this.#mask(plan, value, WHOLE, false) as typeof value;
      },
    };
    this.#masks.set(schema, mask);
    return mask;
  }

  /** Returns a masked record, with the fields that repeat a request as they were sent: a pseudonym for the caller's own text would tell whose it is. */
  withSent<Fields extends object>({ input }: Operation, record: Fields, sent: object): Fields {
    if (!this.hidesNames) return record;
    const masked = new Map(Object.entries(this.maskOf(input).apply(sent)));
    const repeated = Object.entries(sent).filter(
      ([field]) => typeof masked.get(field) === "string" && masked.get(field) === record[field as never],
    );
    return { ...record, ...Object.fromEntries(repeated) };
  }

  /** Replaces the names of known drivers in a text of the service, given the arguments of the call. */
  text(text: string, args?: unknown): string {
    return this.#pseudonyms.hideIn(text, this.hidesNames ? textsIn(args) : "");
  }

  #learn(plan: Plan, value: unknown, field: string): void {
    switch (plan.kind) {
      case "text":
        if (plan.isPerson && typeof value === "string") this.#pseudonyms.learn(value);
        return;
      case "undocumented":
        learnUndocumented(value, { field }, this.#pseudonyms);
        return;
      case "list":
        if (Array.isArray(value)) for (const item of value) this.#learn(plan.item, item, field);
        return;
      case "oneOf":
        for (const option of plan.options) this.#learn(option, value, field);
        return;
      case "record":
        if (!isRecord(value)) return;
        for (const name of Object.keys(value)) {
          const inner = plan.fields.get(name) ?? plan.others;
          if (inner.kind !== "nothing") this.#learn(inner, value[name], name);
        }
    }
  }

  #mask(plan: Plan, value: unknown, place: Place, isPrivate: boolean, whole = plan): unknown {
    switch (plan.kind) {
      case "nothing":
        return value;
      case "text":
        return typeof value === "string" ? this.#text(plan.isPerson, value) : this.#undocumented(value, place);
      case "undocumented":
        return this.#undocumented(value, place);
      case "list":
        return Array.isArray(value) ? this.#list(plan.item, value, place, isPrivate) : this.#undocumented(value, place);
      case "oneOf":
        return plan.options.reduce((masked, option) => this.#mask(option, masked, place, isPrivate, whole), value);
      case "record":
        return isRecord(value) ? this.#record(plan, value, place.field, isPrivate, whole) : this.#undocumented(value, place);
    }
  }

  #text(isPerson: boolean, text: string): string {
    return this.#pseudonyms.ofKnown(text) ?? (isPerson && text.trim() !== "" ? this.#pseudonyms.of(text) : text);
  }

  /** Masks a value that is undocumented or does not match its schema. */
  #undocumented(value: unknown, { field, record, recordField }: Place): unknown {
    if (!this.#protection.hidesNames || typeof value === "number") return value;
    const ofDriver = record !== undefined && isOfDriver(recordField, record);
    return hideUndocumented(value, { field, ofDriver }, this.#pseudonyms);
  }

  #list(item: Plan, list: readonly unknown[], place: Place, isPrivate: boolean): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let at = 0; at < list.length; at++) {
      const masked = this.#mask(item, list[at], place, isPrivate);
      if (masked === list[at]) continue;
      copy ??= [...list];
      copy[at] = masked;
    }
    return copy ?? list;
  }

  #record(plan: RecordPlan, given: Fields, recordField: string, parentIsPrivate: boolean, whole: Plan): Fields {
    const { fields, others, isMap, guards, withheld, inner } = plan;
    let isPrivate = parentIsPrivate;
    for (const [field, value] of guards) isPrivate ||= marksPrivate(given[field], value);
    const record = isPrivate ? withoutWhereabouts(given, withheld, whole) : given;
    let copy: Record<string, unknown> | undefined;
    for (const field of inner ?? Object.keys(record)) {
      const value = record[field];
      const plan = fields.get(field) ?? others;
      // Most fields are numbers or texts, for which creating a place would be wasted work.
      if (plan.kind === "nothing" && !isMap) continue;
      const masked =
        plan.kind === "text" && typeof value === "string"
          ? this.#text(plan.isPerson, value)
          : this.#mask(plan, value, { field, record, recordField }, isPrivate);
      // The keys of a map may be names.
      const shown = fields.has(field) ? field : (this.#pseudonyms.ofKnown(field) ?? field);
      if (masked === value && shown === field) continue;
      copy ??= { ...record };
      if (shown !== field) delete copy[field];
      copy[shown] = masked;
    }
    return copy ?? record;
  }
}

import type { Operation } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import type * as z from "zod";
import { compilePlan, holdsUndocumented, needsJourneys, type Plan, type Protection, type RecordPlan } from "./masking-plan.ts";
import { type SentInstead, sentInstead, withoutImpossible } from "./possible-values.ts";
import { marksPrivate, PLACES_WITHHELD, PrivateJourneys } from "./private-journeys.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { hideUndocumented, isOfDriver, learnUndocumented } from "./undocumented-fields.ts";

/** Masks the values of one schema before a model sees them. */
export interface Mask {
  /** Whether the mask never changes anything. */
  isNoop: boolean;
  /** Whether names may occur in undocumented fields, so that the drivers' names should be read first. */
  needsNames: boolean;
  /** Whether live positions decide what is withheld. */
  needsJourneys: boolean;
  /** Remembers the names in a value that will be masked later. */
  learn: (value: unknown) => void;
  /** Returns a masked copy of a value, or the value itself if nothing has to be masked. Never modifies the value. */
  apply: <Value>(value: Value, journeys?: PrivateJourneys) => Value;
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

/** Whether a plan defines a field. In a union, it is enough if one option does. */
function names(plan: Plan, field: string): boolean {
  if (plan.kind === "oneOf") return plan.options.some((option) => names(option, field));
  return plan.kind === "record" && (plan.isMap || plan.fields.has(field));
}

/** Live positions that were not read count as unreadable. */
const UNREAD = new PrivateJourneys(undefined);

/** Removes from a request what would order or select records by a withheld field. */
function withoutWithheld(plan: Plan, value: unknown): unknown {
  if (plan.kind !== "record" || !isRecord(value)) return value;
  const kept = Object.keys(value).filter((field) => !Object.hasOwn(plan.withheld, field));
  const inner = kept.map((field) => [field, withoutWithheld(plan.fields.get(field) ?? plan.others, value[field])]);
  return kept.length < Object.keys(value).length || inner.some(([field, shown]) => shown !== value[field as string])
    ? Object.fromEntries(inner)
    : value;
}

/** Removes whereabouts from a record on a private journey, and undocumented fields too, because they may reveal a place. */
function withoutWhereabouts(given: Fields, withheld: Fields, whole: Plan): Record<string, unknown> {
  const shown: Record<string, unknown> & SentInstead = { ...given, ...withheld };
  delete shown[sentInstead];
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
  /** Of the value being masked: whose journeys are private, and how many records were hidden for that reason. */
  #journeys = UNREAD;
  #hidden = 0;

  constructor({ privacy, driverNames }: { privacy: string; driverNames: string }, pseudonyms: Pseudonyms) {
    this.#protection = { withholds: privacy !== "off", hidesNames: driverNames !== "show" };
    this.#pseudonyms = pseudonyms;
  }

  get hidesNames(): boolean {
    return this.#protection.hidesNames;
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
      needsJourneys: this.#protection.withholds && needsJourneys(schema),
      learn,
      apply: (value, journeys = UNREAD) => {
        this.#journeys = journeys;
        // Names are learned first: a name may occur before the field that identifies it as a name.
        learn(value);
        return this.#mask(plan, value, WHOLE, false) as typeof value;
      },
    };
    this.#masks.set(schema, mask);
    return mask;
  }

  /** Returns a request without what would order or select records by places that may be withheld from the response; the request itself if it has none. */
  withoutWithheld<Input>({ input }: Operation, given: Input): Input {
    return withoutWithheld(compilePlan(input, { withholds: true, hidesNames: false }), given) as Input;
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

  #record(plan: RecordPlan, sent: Fields, recordField: string, parentIsPrivate: boolean, whole: Plan): Fields {
    const { fields, others, isMap, guards, journeys, withheld, inner } = plan;
    const given = withoutImpossible(sent, plan);
    let isPrivate = parentIsPrivate;
    for (const [field, value] of guards) isPrivate ||= marksPrivate(given[field], value);
    const hiddenBefore = this.#hidden;
    if (journeys.length > 0 && (isPrivate || this.#journeys.includes(journeys.map(([field, key]) => [key, given[field]])))) {
      isPrivate = true;
      this.#hidden++;
    }
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
    if (this.#hidden === hiddenBefore) return copy ?? record;
    // Undocumented fields around a hidden record may reveal a place too.
    const shown = isPrivate ? (copy ?? { ...record }) : withoutWhereabouts(copy ?? record, {}, whole);
    if (journeys.length > 0 && Object.keys(withheld).some((field) => given[field] !== undefined))
      shown[PLACES_WITHHELD] = this.#journeys.reason;
    return shown;
  }
}

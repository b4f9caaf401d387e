import type { Operation } from "@fleetwire/core";
import { isNullIsland, isRecord } from "@fleetwire/core/internal";
import type * as z from "zod";
import type { FleetToolsSettings } from "../model/settings.ts";
import { type Point, pointOf } from "../places/geography.ts";
import { type CompiledPlan, compilePlan, type Plan, type Protection, type RecordPlan } from "./masking-plan.ts";
import { type SentInstead, sentInstead } from "./position.ts";
import { JOURNEY_LENGTH, marksPrivate, PLACES_WITHHELD, PrivateJourneys } from "./private-journeys.ts";
import { type FieldContext, hideUndocumented, learnUndocumented, type Pseudonyms, WHOLE } from "./pseudonyms.ts";
import { mayEndAfter } from "./spans.ts";

/** Masks the values of one schema before a model sees them. */
export interface Mask extends Omit<CompiledPlan, "plan"> {
  /** Whether the mask never changes anything. */
  isNoop: boolean;
  /** Remembers the names in a value that will be masked later. */
  learn: (value: unknown) => void;
  /** Returns a masked copy of a value, or the value itself if nothing has to be masked. Never modifies the value. */
  apply: <Value>(value: Value, journeys?: PrivateJourneys) => Value;
}

type Fields = Readonly<Record<string, unknown>>;

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

/**
 * What the record around a value means for its places. `journey`: it is about a vehicle or driver on a private journey, so that records inside are hidden unless they
 * took place before it.
 */
type Around = "shown" | "journey" | "hidden";

/** For how long before now a record may belong to the private journey that goes on, by the setting `past`. */
const LENGTHS = { respect: JOURNEY_LENGTH, full: 0, off: Number.POSITIVE_INFINITY };

const NO_PAST = "places of the past are not shown (FLEET_PAST)";

/** Live positions that were not read count as unreadable. */
const UNREAD = new PrivateJourneys(undefined, []);

/** Removes numbers outside their bounds, such as 255%, and points that are none, including those at 0, 0: the service has no such value. */
function withoutImpossible(record: Fields, { ranges, points }: RecordPlan): Fields {
  let sent: Record<string, unknown> | undefined;
  for (const [field, { min, max }] of ranges) {
    const value = record[field];
    if (typeof value === "number" && (value < min || value > max)) sent = { ...sent, [field]: value };
  }
  for (const [latitude, longitude] of points) {
    const [north, east] = [record[latitude], record[longitude]];
    const isNone = typeof north === "number" && typeof east === "number" && isNullIsland({ latitude: north, longitude: east });
    if (!isNone && sent?.[latitude] === undefined && sent?.[longitude] === undefined) continue;
    sent = { ...sent, [latitude]: north, [longitude]: east };
  }
  if (!sent) return record;
  return { ...record, ...Object.fromEntries(Object.keys(sent).map((field) => [field, undefined])), [sentInstead]: sent } as Fields;
}

const pointsIn = (record: Fields, { points }: RecordPlan): Point[] =>
  points.flatMap(([latitude, longitude]) => pointOf({ latitude: record[latitude], longitude: record[longitude] } as Partial<Point>) ?? []);

/** Removes whereabouts from a record on a private journey, and undocumented fields too, because they may reveal a place. */
function withoutWhereabouts(record: Fields, withheld: Fields, whole: Plan): Record<string, unknown> {
  const shown: Record<string, unknown> & SentInstead = { ...record, ...withheld };
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
  readonly #now: () => number;
  readonly #journeyLength: number;
  /** Of the value being masked: whose journeys are private, and how many records were hidden for that reason. */
  #journeys = UNREAD;
  #hidden = 0;

  constructor(
    { privacy, past, driverNames }: Pick<FleetToolsSettings, "privacy" | "past" | "driverNames">,
    pseudonyms: Pseudonyms,
    now: () => number,
  ) {
    this.#protection = { withholds: privacy !== "off", hidesPast: past === "off", hidesNames: driverNames !== "show" };
    this.#pseudonyms = pseudonyms;
    this.#now = now;
    this.#journeyLength = LENGTHS[past];
  }

  /** Why places are hidden, given whose journeys are private. */
  reasonWith(journeys: PrivateJourneys | undefined): string {
    return this.#protection.hidesPast ? NO_PAST : (journeys ?? UNREAD).reason;
  }

  get hidesNames(): boolean {
    return this.#protection.hidesNames;
  }

  /** Returns the mask for a schema's values. */
  maskOf(schema: z.core.$ZodType): Mask {
    const existing = this.#masks.get(schema);
    if (existing) return existing;
    const { plan, ...needs } = compilePlan(schema, this.#protection);
    const learn = (value: unknown) => {
      if (this.hidesNames) this.#learn(plan, value, WHOLE.field);
    };
    const mask: Mask = {
      ...needs,
      isNoop: plan.kind === "nothing",
      learn,
      apply: (value, journeys = UNREAD) => {
        this.#journeys = journeys;
        // Names are learned first: a name may occur before the field that identifies it as a name.
        learn(value);
        return this.#mask(plan, value, WHOLE, "shown") as typeof value;
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

  /** The name under which a model knows a driver whom somebody calls by the real name. */
  driverCalled(name: string): string {
    return this.#pseudonyms.ofKnown(name) ?? name;
  }

  #learn(plan: Plan, value: unknown, field: string): void {
    switch (plan.kind) {
      case "text":
        if (plan.isPerson && typeof value === "string") this.#pseudonyms.learn(value);
        return;
      case "undocumented":
        learnUndocumented(value, field, this.#pseudonyms);
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

  #mask(plan: Plan, value: unknown, context: FieldContext, around: Around, whole = plan): unknown {
    if (plan.kind === "nothing") return value;
    if (plan.kind === "oneOf") return plan.options.reduce((masked, option) => this.#mask(option, masked, context, around, whole), value);
    if (plan.kind === "text" && typeof value === "string") return this.#text(plan.isPerson, value);
    if (plan.kind === "list" && Array.isArray(value)) return this.#list(plan.item, value, context, around);
    if (plan.kind === "record" && isRecord(value)) return this.#record(plan, value, context.field, around, whole);
    // The value is undocumented or does not match its schema.
    return this.hidesNames && typeof value !== "number" ? hideUndocumented(value, context, this.#pseudonyms) : value;
  }

  #text(isPerson: boolean, text: string): string {
    return this.#pseudonyms.ofKnown(text) ?? (isPerson && text.trim() !== "" ? this.#pseudonyms.of(text) : text);
  }

  #list(item: Plan, list: readonly unknown[], context: FieldContext, around: Around): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let at = 0; at < list.length; at++) {
      const masked = this.#mask(item, list[at], context, around);
      if (masked === list[at]) continue;
      copy ??= [...list];
      copy[at] = masked;
    }
    return copy ?? list;
  }

  #record(plan: RecordPlan, sent: Fields, recordField: string, parent: Around, whole: Plan): Fields {
    const { fields, others, isMap, guards, journeys, span, withheld, inner } = plan;
    const possible = withoutImpossible(sent, plan);
    let around = parent;
    if (guards.some(([field, value]) => marksPrivate(possible[field], value))) around = "hidden";
    const whose = () => journeys.map(([field, key]) => [key, possible[field]] as const);
    if (around === "shown" && journeys.length > 0 && this.#journeys.includes(whose())) around = "journey";
    if (span && (this.#protection.hidesPast || around === "journey"))
      around =
        mayEndAfter(possible, span, this.#now() - this.#journeyLength) || this.#journeys.isAt(whose(), pointsIn(possible, plan))
          ? "hidden"
          : "shown";
    const isPrivate = around !== "shown";
    const hiddenBefore = this.#hidden;
    if (isPrivate && (journeys.length > 0 || span)) this.#hidden++;
    const record = isPrivate ? withoutWhereabouts(possible, withheld, whole) : possible;
    let copy: Record<string, unknown> | undefined;
    for (const field of inner ?? Object.keys(record)) {
      const value = record[field];
      const plan = fields.get(field) ?? others;
      // Most fields are numbers or texts, for which a context would be wasted work.
      if (plan.kind === "nothing" && !isMap) continue;
      const masked =
        plan.kind === "text" && typeof value === "string"
          ? this.#text(plan.isPerson, value)
          : this.#mask(plan, value, { field, record, recordField }, around);
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
    if ((journeys.length > 0 || span) && Object.keys(withheld).some((field) => possible[field] !== undefined))
      shown[PLACES_WITHHELD] = this.reasonWith(this.#journeys);
    return shown;
  }
}

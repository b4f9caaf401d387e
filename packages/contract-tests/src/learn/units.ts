import type { TachoActivity } from "@fleetwire/core";
import {
  ACTIVITIES_PATH,
  DistanceTally,
  DURATION_UNITS,
  type DurationUnit,
  type FactOf,
  isRecord,
  parseDateTime,
} from "@fleetwire/core/internal";
import { valuesAt } from "../json-values.ts";

/** From when until when a fact was observed. */
export class Period {
  #from = Number.POSITIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;

  add(at: number): void {
    this.#from = Math.min(this.#from, at);
    this.#until = Math.max(this.#until, at);
  }

  evidence(records: number, of: number): Pick<FactOf<"unit">, "basis" | "records" | "of" | "from" | "until"> {
    const written = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
    return { basis: "observed", records, of, from: written(this.#from), until: written(this.#until) };
  }
}

/** So few activities may be a coincidence. */
const MIN_COMPARED = 3;
/** The part of activities that may be wrong. */
const MAX_WRONG = 0.02;
/** The part by which a duration may differ from the time between start and end, besides rounding. */
const TOLERANCE = 0.02;

const durationUnits = Object.keys(DURATION_UNITS) as DurationUnit[];

/** The fields of an activity that have the documented type. */
function readable(activity: Readonly<Record<string, unknown>>): TachoActivity {
  const isReadable = ([name, value]: [string, unknown]) =>
    /^(?:(?:start|end)L|duration|distance)/.test(name) ? typeof value === "number" : /Time$/.test(name) && typeof value === "string";
  return {
    ...Object.fromEntries(Object.entries(activity).filter(isReadable)),
    inProgress: activity["inProgress"] === true,
  } as TachoActivity;
}

/** Learns the units of duration and distance of tachograph activities. */
export class Units {
  readonly #distance = new DistanceTally();
  readonly #period = new Period();
  readonly #having = { duration: 0, distance: 0 };
  /** Activities whose duration was compared with their times, and those in which each unit is wrong. */
  #compared = 0;
  readonly #wrong = new Map<DurationUnit, number>();

  /** Adds a page of activities. */
  add(body: unknown, at: number): void {
    this.#period.add(at);
    for (const activity of valuesAt(body, ACTIVITIES_PATH).filter(isRecord).map(readable)) {
      for (const name of ["duration", "distance"] as const) if (activity[name] !== undefined) this.#having[name]++;
      this.#distance.add(activity);
      this.#addDuration(activity);
    }
  }

  #addDuration({ startTime, endTime, duration, inProgress }: TachoActivity): void {
    const [start, end] = [parseDateTime(startTime), parseDateTime(endTime)];
    if (start === undefined || end === undefined || !duration || duration < 0 || inProgress || end - start < 60_000) return;
    this.#compared++;
    const seconds = (end - start) / 1000;
    for (const unit of durationUnits) {
      const allowed = seconds * TOLERANCE + DURATION_UNITS[unit] / 2;
      if (Math.abs(duration * DURATION_UNITS[unit] - seconds) > allowed) this.#wrong.set(unit, (this.#wrong.get(unit) ?? 0) + 1);
    }
  }

  /** A unit is a fact if it is the only possible one. */
  facts(): FactOf<"unit">[] {
    const [only, ...others] = durationUnits.filter((unit) => (this.#wrong.get(unit) ?? 0) <= this.#compared * MAX_WRONG);
    const duration = others.length === 0 && this.#compared >= MIN_COMPARED ? only : undefined;
    const { unit: distance, compared } = this.#distance.evidence();
    const factOf = (name: "duration" | "distance", unit: FactOf<"unit">["unit"] | undefined, records: number): FactOf<"unit">[] => {
      if (unit === undefined) return [];
      const path = `${ACTIVITIES_PATH}.${name}`;
      return [{ fact: "unit", operation: "queryTachoActivity", path, unit, ...this.#period.evidence(records, this.#having[name]) }];
    };
    return [...factOf("duration", duration, this.#compared), ...factOf("distance", distance, compared)];
  }
}

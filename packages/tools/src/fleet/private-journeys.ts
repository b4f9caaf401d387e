import { plateOf } from "../text/spelling.ts";
import type { Position } from "./position.ts";

/** What identifies a vehicle or driver. */
export type JourneyKey = "vehicle" | "registration" | "driver";

/** The field that marks a masked record whose places are withheld, though it has no flag of its own. It holds the reason. */
export const PLACES_WITHHELD = "placesWithheld";

/** Whether a flag marks a journey as private. Unexpected values count as private. */
export const marksPrivate = (flag: unknown, guard: boolean): boolean => flag !== undefined && flag !== null && flag !== !guard;

const formOf = (key: JourneyKey, value: unknown) => (key === "registration" && typeof value === "string" ? plateOf(value) : value);

/** The vehicles and drivers that live positions show on a private journey, or unknown if they cannot be read. */
export class PrivateJourneys {
  readonly #keys: Readonly<Record<JourneyKey, ReadonlySet<unknown>>> | undefined;

  constructor(positions: readonly Position[] | undefined) {
    const travelling = positions?.filter(({ privacy }) => marksPrivate(privacy, true));
    this.#keys = travelling && {
      vehicle: new Set(travelling.map(({ assetId }) => assetId || undefined)),
      registration: new Set(travelling.map(({ assetRegistration }) => formOf("registration", assetRegistration || undefined))),
      driver: new Set(travelling.flatMap(({ driverId }) => driverId || [])),
    };
  }

  /** Whether nothing is withheld. */
  get isNone(): boolean {
    return this.#keys?.vehicle.size === 0;
  }

  get reason(): string {
    return this.#keys ? "private journey" : "live positions cannot be read, so private journeys are unknown";
  }

  /** Whether a record with these keys is, or may be, about someone on a private journey. */
  includes(record: readonly (readonly [JourneyKey, unknown])[]): boolean {
    const keys = this.#keys;
    if (!keys || this.isNone) return !keys;
    const present = record.filter(([, value]) => value !== undefined && value !== null && value !== "");
    if (present.some(([key, value]) => keys[key].has(formOf(key, value)))) return true;
    // A key that a private vehicle lacks tells nothing about it.
    return !present.some(([key]) => !keys[key].has(undefined));
  }
}

import { DAY_MS, type Duty, dayOf, LONGEST_REST_DAYS, planDay, type Spell, totalsBefore } from "./day-plan.ts";
import { type Leg, type Moment, momentOf } from "./legs.ts";
import type { Site } from "./sites.ts";

/** Rest between two shifts, starting at the end of the previous one. */
interface Rest {
  readonly kind: "rest";
  readonly start: number;
  readonly km: number;
  readonly engineMs: number;
  /** The last leg of the previous shift; absent before the first one. */
  readonly leg: Leg | undefined;
  readonly site: Site;
}

export type Doing = Spell | Rest;

/** The rest period at an instant outside all of that day's activities. */
function restAround(duty: Duty, day: number, at: number): Rest {
  for (let back = day; back >= day - LONGEST_REST_DAYS; back--) {
    const last = planDay(duty, back).findLast((spell) => spell.end <= at);
    if (last) return { kind: "rest", start: last.end, ...totalsBefore(duty, back + 1), leg: last.leg, site: last.leg.to };
  }
  const start = Math.floor(at / DAY_MS) * DAY_MS;
  return { kind: "rest", start, ...totalsBefore(duty, day), leg: undefined, site: duty.round.home };
}

/** The activity of a vehicle at an instant. */
export function doingAt(duty: Duty, at: number): Doing {
  const day = dayOf(duty, at);
  return planDay(duty, day).find((spell) => spell.start <= at && at < spell.end) ?? restAround(duty, day, at);
}

/** A vehicle's position and motion. */
export interface Whereabouts extends Moment {
  readonly doing: Doing;
  /** km and engine ms since the vehicle entered service. */
  readonly totalKm: number;
  readonly engineMs: number;
}

/** The position and motion at an instant during an activity. */
export function whereaboutsDuring(doing: Doing, at: number): Whereabouts {
  const { leg, site } = doing;
  const isIdle = doing.kind === "idle";
  const engineMs = doing.engineMs + (isIdle || doing.kind === "drive" ? at - doing.start : 0);
  if (!leg) {
    const { latitude, longitude, place, road } = site;
    return { doing, latitude, longitude, place, road, site, heading: 0, speed: 0, km: 0, totalKm: doing.km, engineMs };
  }
  const moment = momentOf(leg, isIdle ? 0 : doing.kind === "drive" ? at - doing.start : leg.driveMs);
  return { ...moment, doing, totalKm: doing.km + (doing.kind === "drive" ? moment.km : 0), engineMs };
}

export function whereaboutsAt(duty: Duty, at: number): Whereabouts {
  return whereaboutsDuring(doingAt(duty, at), at);
}

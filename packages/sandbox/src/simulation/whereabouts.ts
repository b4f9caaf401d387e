import type { Point } from "@fleetwire/core/internal";
import { DAY_MS, type Duty, dayOf, LONGEST_REST_DAYS, latestSpell, type Spell, totalsBefore } from "./day-plan.ts";
import { type Leg, type Moment, momentOf } from "./legs.ts";
import type { Site } from "./sites.ts";

/** Rest between two shifts, starting at the end of the previous one. */
interface Rest {
  readonly kind: "rest";
  /** The day of the previous shift, counted in the duty's own days. */
  readonly day: number;
  readonly start: number;
  readonly km: number;
  readonly engineMs: number;
  /** The last leg of the previous shift; absent before the first one. */
  readonly leg: Leg | undefined;
  readonly site: Site;
  /** Who of a team had the wheel last. */
  readonly wheel: number;
}

export type Doing = Spell | Rest;

/** The activity of a vehicle at an instant. */
export function doingAt(duty: Duty, at: number): Doing {
  const today = dayOf(duty, at);
  for (let day = today; day >= today - LONGEST_REST_DAYS; day--) {
    const latest = latestSpell(duty, day, at);
    if (latest && at < latest.end) return latest;
    if (latest)
      return {
        kind: "rest",
        day,
        start: latest.end,
        ...totalsBefore(duty, day + 1),
        leg: latest.leg,
        site: latest.leg.to,
        wheel: latest.wheel,
      };
  }
  const start = Math.floor(at / DAY_MS) * DAY_MS;
  return { kind: "rest", day: today, start, ...totalsBefore(duty, today), leg: undefined, site: duty.round.home, wheel: 0 };
}

function standingAt(site: Site): Moment {
  const { latitude, longitude, place, road } = site;
  return { latitude, longitude, heading: 0, speed: 0, km: 0, place, road, site };
}

/** A vehicle's position and motion. */
export interface Whereabouts extends Moment {
  readonly doing: Doing;
  /** km and engine ms since the vehicle entered service. */
  readonly totalKm: number;
  readonly engineMs: number;
}

const ON_THE_LINE: Point = { latitude: 0, longitude: 0 };

/** The position and motion at an instant during an activity, `beside` the route by some degrees. */
export function whereaboutsDuring(doing: Doing, at: number, beside = ON_THE_LINE): Whereabouts {
  const { leg } = doing;
  const isIdle = doing.kind === "idle";
  const isDrive = doing.kind === "drive";
  const moment = leg ? momentOf(leg, isIdle ? 0 : isDrive ? at - doing.start : leg.driveMs) : standingAt(doing.site);
  const { latitude, longitude, heading, speed, km, place, road, site } = moment;
  // Listed field by field: copying an object by spread takes longer than the rest of this function.
  return {
    doing,
    latitude: latitude + beside.latitude,
    longitude: longitude + beside.longitude,
    heading,
    speed,
    km,
    place,
    road,
    site,
    totalKm: doing.km + (isDrive ? km : 0),
    engineMs: doing.engineMs + (isIdle || isDrive ? at - doing.start : 0),
  };
}

export function whereaboutsAt(duty: Duty, at: number): Whereabouts {
  return whereaboutsDuring(doingAt(duty, at), at);
}

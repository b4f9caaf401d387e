import { type Duty, dayOf, roundDayOf, totalsBefore } from "./day-plan.ts";
import type { Model } from "./models.ts";
import { drawBetween, topic } from "./random.ts";
import type { Whereabouts } from "./whereabouts.ts";

const LEVEL = topic("usual level after filling or charging");
const RESERVE = 0.15;
/** Each vehicle has its own idea of full: many charge to 80 % only. */
const fullTank = ({ seed }: Duty) => drawBetween(0.86, 0.99, seed, LEVEL);
const fullBattery = ({ seed }: Duty) => drawBetween(0.78, 0.99, seed, LEVEL, 1);
const HOUR_MS = 3_600_000;
/** Minutes from the end of a shift until the vehicle is plugged in. */
export const PLUG_IN_MS = 180_000;

/** Days after which a vehicle is refuelled at the latest. */
const REFUEL_DAYS = 42;

/** Fill level of a tank, 0 to 1. Vehicles refuel at the start of a round, at the latest after six weeks, and before any day for which the remaining fuel is not enough. */
export function tankShare(duty: Duty, tank: NonNullable<Model["tank"]>, where: Whereabouts): number {
  const today = dayOf(duty, where.doing.start);
  const { rounds, at } = roundDayOf(duty, today);
  const perKm = tank.per100Km / 100 / tank.capacity;
  const { kmBefore } = duty.round;
  const full = fullTank(duty);
  const first = at - (at % REFUEL_DAYS);
  let filledAtKm = kmBefore[first] ?? 0;
  for (let day = first + 1; day <= at; day++) {
    const before = kmBefore[day] ?? 0;
    const after = kmBefore[day + 1] ?? before;
    if (after > before && full - (after - filledAtKm) * perKm < RESERVE) filledAtKm = before;
  }
  const weekKm = where.totalKm - Math.max(0, rounds) * (kmBefore[duty.round.days.length] ?? 0);
  // Before a vehicle enters service, it has not been refuelled.
  return Math.max(0.03, full - (weekKm - Math.min(filledAtKm, weekKm)) * perKm);
}

export interface BatteryState {
  /** 0 to 1 */
  readonly share: number;
  readonly rangeKm: number;
  readonly isCharging: boolean;
  /** Minutes until the battery is full; set while charging. */
  readonly minutesLeft: number | undefined;
}

/** Charging time after a shift, in ms. */
function chargingMs(duty: Duty, battery: NonNullable<Model["battery"]>, share: number): number {
  return ((fullBattery(duty) - share) * battery.kWh * HOUR_MS) / battery.chargingKw;
}

function shareAfter(duty: Duty, battery: NonNullable<Model["battery"]>, km: number): number {
  const electricKm = battery.kmFirst === undefined ? km : Math.min(km, battery.kmFirst);
  return Math.max(0.04, fullBattery(duty) - (electricKm * battery.kWhPerKm) / battery.kWh);
}

/** The battery at an instant: drained by the day's distance, recharged after the shift. */
export function batteryState(duty: Duty, battery: NonNullable<Model["battery"]>, where: Whereabouts, at: number): BatteryState {
  const { doing } = where;
  const used = shareAfter(duty, battery, where.totalKm - totalsBefore(duty, dayOf(duty, doing.start)).km);
  const rangeOf = (share: number) => (share * battery.kWh) / battery.kWhPerKm;
  if (doing.kind !== "rest") return { share: used, rangeKm: rangeOf(used), isCharging: false, minutesLeft: undefined };
  const needed = chargingMs(duty, battery, used);
  const charged = Math.min(Math.max(0, at - doing.start - PLUG_IN_MS), needed);
  const share = used + ((fullBattery(duty) - used) * charged) / (needed || 1);
  const isCharging = at >= doing.start + PLUG_IN_MS && charged < needed;
  return { share, rangeKm: rangeOf(share), isCharging, minutesLeft: isCharging ? (needed - charged) / 60_000 : undefined };
}

/** End of charging, in ms after the end of a shift; 0 without a battery. */
export function chargedAfterMs(duty: Duty, battery: NonNullable<Model["battery"]>, where: Whereabouts): number {
  const used = shareAfter(duty, battery, where.totalKm - totalsBefore(duty, dayOf(duty, where.doing.start)).km);
  const needed = chargingMs(duty, battery, used);
  return needed > 0 ? PLUG_IN_MS + Math.ceil(needed / 1000) * 1000 : 0;
}

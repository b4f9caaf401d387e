import { type Duty, dayOf, roundDayOf, type Spell, totalsBefore } from "./day-plan.ts";
import type { Model } from "./models.ts";
import type { Driver } from "./people.ts";
import { draw, drawBetween, topic } from "./random.ts";
import { driverOn, type Vehicle } from "./roster.ts";
import { DRIVING_REPORT_MS, faultsBetween, type VehicleFault } from "./vehicle-faults.ts";
import { type Doing, doingAt, type Whereabouts, whereaboutsDuring } from "./whereabouts.ts";

const MINUTE = 60_000;
const HOUR_MS = 3_600_000;

const LEVEL = topic("usual level after filling or charging");
const RESERVE = 0.15;
/** Each vehicle has its own idea of full: many charge to 80 % only. */
const fullTank = ({ seed }: Duty) => drawBetween(0.86, 0.99, seed, LEVEL);
const fullBattery = ({ seed }: Duty) => drawBetween(0.78, 0.99, seed, LEVEL, 1);
/** Minutes from the end of a shift until the vehicle is plugged in. */
const PLUG_IN_MS = 180_000;

/** Days after which a vehicle is refuelled at the latest. */
const REFUEL_DAYS = 42;

/** Fill level of a tank, 0 to 1. Vehicles refuel at the start of a round, at the latest after six weeks, and before any day for which the remaining fuel is not enough. */
function tankShare(duty: Duty, tank: NonNullable<Model["tank"]>, where: Whereabouts): number {
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

/** Charging time after a shift, in ms. */
function chargingMs(duty: Duty, battery: NonNullable<Model["battery"]>, share: number): number {
  return ((fullBattery(duty) - share) * battery.kWh * HOUR_MS) / battery.chargingKw;
}

/** The share that the distance since the morning leaves. */
function drainedShare(duty: Duty, battery: NonNullable<Model["battery"]>, { totalKm, doing }: Whereabouts): number {
  const km = totalKm - totalsBefore(duty, dayOf(duty, doing.start)).km;
  const electricKm = battery.kmFirst === undefined ? km : Math.min(km, battery.kmFirst);
  return Math.max(0.04, fullBattery(duty) - (electricKm * battery.kWhPerKm) / battery.kWh);
}

/** The battery at an instant, its share from 0 to 1, and while it charges, the minutes until it is full: drained by the day's distance, recharged after the shift. */
function batteryState(duty: Duty, battery: NonNullable<Model["battery"]>, where: Whereabouts, at: number) {
  const { kind, start } = where.doing;
  const used = drainedShare(duty, battery, where);
  const needed = chargingMs(duty, battery, used);
  const charged = kind === "rest" ? Math.min(Math.max(0, at - start - PLUG_IN_MS), needed) : 0;
  const share = charged > 0 ? used + ((fullBattery(duty) - used) * charged) / needed : used;
  const isCharging = kind === "rest" && at >= start + PLUG_IN_MS && charged < needed;
  const minutesLeft = isCharging ? (needed - charged) / MINUTE : undefined;
  return { share, rangeKm: (share * battery.kWh) / battery.kWhPerKm, isCharging, minutesLeft };
}

/** End of charging, in ms after the end of a shift; 0 without a battery. */
function chargedAfterMs(duty: Duty, battery: NonNullable<Model["battery"]>, where: Whereabouts): number {
  const needed = chargingMs(duty, battery, drainedShare(duty, battery, where));
  return needed > 0 ? PLUG_IN_MS + Math.ceil(needed / 1000) * 1000 : 0;
}

/** Documented values (interface 2.4). */
type EventType = "driving" | "idling" | "stopped" | "ping" | "input" | "unknown" | "defect";

/** The latest report of a tracking unit. Nothing changes between two reports. */
interface TrackingEvent {
  readonly type: EventType;
  /** epoch ms */
  readonly at: number;
  readonly doing: Doing;
}

const IDLING_REPORT_MS = MINUTE;
const TRAILER_PING_MS = 15 * MINUTE;
const CHARGING_REPORT_MS = 10 * MINUTE;
const DOOR_MS = 2 * MINUTE;
/** How long a new fault remains the event in a moving vehicle's reports. */
const DEFECT_NEWS_MS = 5 * MINUTE;

const PING_PHASE = topic("phase of a trailer's pings");

const latest = (start: number, interval: number, now: number) => start + Math.floor((now - start) / interval) * interval;

function standingEvent(vehicle: Vehicle, doing: Spell, now: number): TrackingEvent {
  const opened = doing.start + DOOR_MS;
  const closed = doing.end - DOOR_MS;
  const hasDoorReports = doing.kind === "work" && vehicle.hasDoorSensor && closed > opened;
  if (!hasDoorReports || now < opened) return { type: "stopped", at: doing.start, doing };
  return { type: "input", at: now < closed ? opened : closed, doing };
}

function restingEvent(vehicle: Vehicle, doing: Doing, now: number): TrackingEvent {
  const { battery } = vehicle.model;
  const plugged = doing.start + PLUG_IN_MS;
  const charged = battery && doing.leg ? doing.start + chargedAfterMs(vehicle.duty, battery, whereaboutsDuring(doing, doing.start)) : 0;
  if (charged <= plugged || now < plugged) return { type: "stopped", at: doing.start, doing };
  return { type: "unknown", at: now >= charged ? charged : latest(plugged, CHARGING_REPORT_MS, now), doing };
}

/** The latest report at an instant, given the current `faults`. */
function latestEvent(vehicle: Vehicle, faults: readonly VehicleFault[], now: number): TrackingEvent {
  if (vehicle.model.asset === "TRAILER") {
    const phase = Math.floor((draw(vehicle.serialNumber, PING_PHASE) * TRAILER_PING_MS) / 1000) * 1000;
    const at = latest(phase, TRAILER_PING_MS, now);
    return { type: "ping", at, doing: doingAt(vehicle.duty, at) };
  }
  const doing = doingAt(vehicle.duty, now);
  if (doing.kind === "rest") return restingEvent(vehicle, doing, now);
  if (doing.kind === "idle") return { type: "idling", at: latest(doing.start, IDLING_REPORT_MS, now), doing };
  if (doing.kind !== "drive") return standingEvent(vehicle, doing, now);
  const at = latest(doing.start, DRIVING_REPORT_MS, now);
  const isNews = faults.some((fault) => fault.start <= at && at < fault.start + DEFECT_NEWS_MS);
  return { type: isNews ? "defect" : "driving", at, doing };
}

/** The state of a vehicle in its latest report. */
export interface VehicleState {
  /** When the report was made, in epoch ms. */
  readonly at: number;
  readonly event: EventType;
  readonly where: Whereabouts;
  /** Who drives, or drove last. */
  readonly driver: Driver | undefined;
  readonly odometerKm: number;
  readonly engineHours: number;
  /** Whether the engine, or an electric vehicle's motor, is on. */
  readonly isOn: boolean;
  readonly rpm: number;
  readonly isPrivate: boolean;
  readonly tank: { readonly share: number; readonly litres: number | undefined } | undefined;
  readonly battery: ReturnType<typeof batteryState> | undefined;
  readonly faults: readonly VehicleFault[];
}

function rpmOf(model: Model, isOn: boolean, speed: number): number {
  if (!isOn || model.idleRpm === undefined || model.cruiseRpm === undefined) return 0;
  if (speed < 1) return model.idleRpm;
  const pulling = model.idleRpm * 1.5;
  return pulling + (model.cruiseRpm - pulling) * Math.min(1, speed / 90);
}

/** Computes the state in a vehicle's latest report at any instant. */
export function vehicleState(vehicle: Vehicle, now: number): VehicleState {
  const known = Math.min(now, vehicle.soldAt ?? now);
  const faults = faultsBetween(vehicle, known, known);
  const { type, at, doing } = latestEvent(vehicle, faults, known);
  const where = whereaboutsDuring(doing, at, vehicle.beside);
  const isOn = doing.kind === "drive" || doing.kind === "idle";
  const { tank, battery } = vehicle.model;
  const share = tank && tankShare(vehicle.duty, tank, where);
  return {
    at,
    event: type,
    where,
    driver: driverOn(vehicle, doing),
    odometerKm: vehicle.odometerKm + where.totalKm,
    engineHours: vehicle.engineHours + where.engineMs / HOUR_MS,
    isOn,
    rpm: rpmOf(vehicle.model, isOn, where.speed),
    isPrivate: doing.leg?.isPrivate === true,
    tank: tank && share !== undefined ? { share, litres: tank.unit === "l" ? share * tank.capacity : undefined } : undefined,
    battery: battery && batteryState(vehicle.duty, battery, where, at),
    faults,
  };
}

/** Who has a vehicle at an instant, or had it last. */
export function driverAt(vehicle: Vehicle, at: number): Driver | undefined {
  return driverOn(vehicle, doingAt(vehicle.duty, at));
}

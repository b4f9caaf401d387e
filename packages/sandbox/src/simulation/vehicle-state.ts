import { DAY_MS, dayOf, type Spell, shiftStart } from "./day-plan.ts";
import { type BatteryState, batteryState, chargedAfterMs, PLUG_IN_MS, tankShare } from "./energy.ts";
import type { Model } from "./models.ts";
import type { Driver } from "./people.ts";
import { draw, topic } from "./random.ts";
import { driverOn, type Vehicle } from "./roster.ts";
import { DRIVING_REPORT_MS, faultsBetween, type VehicleFault } from "./vehicle-faults.ts";
import { type Doing, doingAt, type Whereabouts, whereaboutsDuring } from "./whereabouts.ts";

/** Documented values (interface 2.4). */
type EventType = "driving" | "idling" | "stopped" | "ping" | "input" | "unknown" | "defect";

/** The latest report of a tracking unit. Nothing changes between two reports. */
interface TrackingEvent {
  readonly type: EventType;
  /** epoch ms */
  readonly at: number;
  /** When the next report may come, in epoch ms. */
  readonly until: number;
  readonly doing: Doing;
}

const MINUTE = 60_000;
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
  if (!hasDoorReports) return { type: "stopped", at: doing.start, until: doing.end, doing };
  if (now < opened) return { type: "stopped", at: doing.start, until: opened, doing };
  return now < closed ? { type: "input", at: opened, until: closed, doing } : { type: "input", at: closed, until: doing.end, doing };
}

/** The earliest instant at which a resting vehicle may start work. Before it enters service, it reports once a day. */
function restsUntil({ duty }: Vehicle, { leg, start }: Doing, now: number): number {
  const day = dayOf(duty, now);
  const today = shiftStart(duty, day);
  const next = today > now ? today : shiftStart(duty, day + 1);
  return leg ? next : Math.min(next, start + DAY_MS);
}

function restingEvent(vehicle: Vehicle, doing: Doing, now: number): TrackingEvent {
  const rested = restsUntil(vehicle, doing, now);
  const { battery } = vehicle.model;
  const plugged = doing.start + PLUG_IN_MS;
  const charged = battery && doing.leg ? doing.start + chargedAfterMs(vehicle.duty, battery, whereaboutsDuring(doing, doing.start)) : 0;
  if (charged <= plugged) return { type: "stopped", at: doing.start, until: rested, doing };
  if (now < plugged) return { type: "stopped", at: doing.start, until: Math.min(plugged, rested), doing };
  if (now >= charged) return { type: "unknown", at: charged, until: rested, doing };
  const at = latest(plugged, CHARGING_REPORT_MS, now);
  return { type: "unknown", at, until: Math.min(at + CHARGING_REPORT_MS, charged, rested), doing };
}

/** The latest report at an instant, given the current `faults`. */
function latestEvent(vehicle: Vehicle, faults: readonly VehicleFault[], now: number): TrackingEvent {
  if (vehicle.model.asset === "TRAILER") {
    const phase = Math.floor((draw(vehicle.serialNumber, PING_PHASE) * TRAILER_PING_MS) / 1000) * 1000;
    const at = latest(phase, TRAILER_PING_MS, now);
    return { type: "ping", at, until: at + TRAILER_PING_MS, doing: doingAt(vehicle.duty, at) };
  }
  const doing = doingAt(vehicle.duty, now);
  if (doing.kind === "rest") return restingEvent(vehicle, doing, now);
  if (doing.kind === "idle") {
    const at = latest(doing.start, IDLING_REPORT_MS, now);
    return { type: "idling", at, until: Math.min(at + IDLING_REPORT_MS, doing.end), doing };
  }
  if (doing.kind !== "drive") return standingEvent(vehicle, doing, now);
  const at = latest(doing.start, DRIVING_REPORT_MS, now);
  const isNews = faults.some((fault) => fault.start <= at && at < fault.start + DEFECT_NEWS_MS);
  return { type: isNews ? "defect" : "driving", at, until: Math.min(at + DRIVING_REPORT_MS, doing.end), doing };
}

/** The state of a vehicle in its latest report. */
export interface VehicleState {
  /** When the report was made, in epoch ms. */
  readonly at: number;
  /** When the next report may come, in epoch ms; until then, the state stays the same. */
  readonly until: number;
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
  readonly battery: BatteryState | undefined;
  readonly faults: readonly VehicleFault[];
}

const HOUR_MS = 3_600_000;

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
  const { type, at, until, doing } = latestEvent(vehicle, faults, known);
  const where = whereaboutsDuring(doing, at, vehicle.beside);
  const isOn = doing.kind === "drive" || doing.kind === "idle";
  const { tank, battery } = vehicle.model;
  const share = tank && tankShare(vehicle.duty, tank, where);
  return {
    at,
    until: vehicle.soldAt !== undefined && vehicle.soldAt <= now ? Number.POSITIVE_INFINITY : until,
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

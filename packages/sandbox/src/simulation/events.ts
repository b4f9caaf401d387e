import { DAY_MS, dayOf, type Spell, shiftStart } from "./day-plan.ts";
import { chargedAfterMs, PLUG_IN_MS } from "./energy.ts";
import { draw, topic } from "./random.ts";
import type { Vehicle } from "./roster.ts";
import { DRIVING_REPORT_MS, type VehicleFault } from "./vehicle-faults.ts";
import { type Doing, doingAt, whereaboutsDuring } from "./whereabouts.ts";

/** Documented values (interface 2.4). */
export type EventType = "driving" | "idling" | "stopped" | "ping" | "input" | "unknown" | "defect";

/** The latest report of a tracking unit. Nothing changes between two reports. */
export interface TrackingEvent {
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
export function latestEvent(vehicle: Vehicle, faults: readonly VehicleFault[], now: number): TrackingEvent {
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

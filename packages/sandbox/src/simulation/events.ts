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

function standingEvent(vehicle: Vehicle, doing: Doing, now: number): TrackingEvent {
  const stopped: TrackingEvent = { type: "stopped", at: doing.start, doing };
  if (doing.kind !== "work" || !vehicle.hasDoorSensor) return stopped;
  const opened = doing.start + DOOR_MS;
  const closed = doing.end - DOOR_MS;
  if (closed <= opened || now < opened) return stopped;
  return { type: "input", at: now < closed ? opened : closed, doing };
}

function restingEvent(vehicle: Vehicle, doing: Doing, now: number): TrackingEvent {
  const stopped: TrackingEvent = { type: "stopped", at: doing.start, doing };
  const { battery } = vehicle.model;
  const plugged = doing.start + PLUG_IN_MS;
  if (!battery || !doing.leg || now < plugged) return stopped;
  const charged = doing.start + chargedAfterMs(vehicle.duty, battery, whereaboutsDuring(doing, doing.start));
  if (charged <= plugged) return stopped;
  return { type: "unknown", at: now >= charged ? charged : latest(plugged, CHARGING_REPORT_MS, now), doing };
}

/** The latest report at an instant, given the current `faults`. */
export function latestEvent(vehicle: Vehicle, faults: readonly VehicleFault[], now: number): TrackingEvent {
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

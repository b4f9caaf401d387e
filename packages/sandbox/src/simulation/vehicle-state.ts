import { type BatteryState, batteryState, tankShare } from "./energy.ts";
import { type EventType, latestEvent } from "./events.ts";
import type { Model } from "./models.ts";
import type { Driver } from "./people.ts";
import { driverOn, type Vehicle } from "./roster.ts";
import { activeFaults, type VehicleFault } from "./vehicle-faults.ts";
import { doingAt, type Whereabouts, whereaboutsDuring } from "./whereabouts.ts";

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
  const faults = activeFaults(vehicle, known);
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

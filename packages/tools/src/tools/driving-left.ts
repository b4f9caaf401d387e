import type { FleetContext } from "../fleet/fleet-context.ts";

/** Driving time left today in milliseconds, by driver id: a range if gaps in the data leave it uncertain. Drivers without data are omitted. */
export type DrivingLeft = ReadonlyMap<string, { atLeast: number; atMost: number }>;

/** Returns how long each of these drivers may still drive today. */
export type ReadDrivingLeft = (driverIds: readonly string[], context: FleetContext) => Promise<DrivingLeft | undefined>;

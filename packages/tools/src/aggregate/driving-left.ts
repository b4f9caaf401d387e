import type { ToolContext } from "../tool.ts";

/** Driving time left, in milliseconds, by driver id; undefined for drivers of whom it is unknown. */
export type DrivingLeft = ReadonlyMap<string, number>;

/** Returns how long each of these drivers may still drive today. */
export type ReadDrivingLeft = (driverIds: readonly string[], context: ToolContext) => Promise<DrivingLeft>;

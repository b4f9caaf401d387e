import type { DeploymentProfile } from "@fleetwire/core";
import { ACTIVITIES_PATH, DISTANCE_UNITS, type DistanceUnit, type DurationUnit, factsOf } from "@fleetwire/core/internal";
import type { ToolSettings } from "../model/tool.ts";

type Profile = DeploymentProfile | undefined;

/** The unit of a field of tachograph activities that a profile observed. */
export const observedUnit = (field: "duration" | "distance", profile: Profile): DistanceUnit | DurationUnit | undefined =>
  factsOf(profile, "unit").find(({ path }) => path === `${ACTIVITIES_PATH}.${field}`)?.unit;

const isDistance = (unit: string | undefined): unit is DistanceUnit => unit !== undefined && Object.hasOwn(DISTANCE_UNITS, unit);

/** The unit of distances: as set, or as a profile observed it. */
export function distanceUnitFrom({ distanceUnit, profile }: Pick<ToolSettings, "distanceUnit" | "profile">): DistanceUnit | undefined {
  const observed = observedUnit("distance", profile);
  return distanceUnit ?? (isDistance(observed) ? observed : undefined);
}

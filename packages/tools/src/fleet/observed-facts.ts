import type { DeploymentProfile } from "@fleetwire/core";
import { DISTANCE_UNITS, type DistanceUnit, type DurationUnit } from "@fleetwire/core/internal";
import type { ToolSettings } from "../model/tool.ts";
import { wordsOf } from "./activity-words.ts";

type Profile = DeploymentProfile | undefined;

const ACTIVITIES = "$.data[*].activities[*]";

/** The unit of a field of tachograph activities that a profile observed. */
export function observedUnit(field: "duration" | "distance", profile: Profile): DistanceUnit | DurationUnit | undefined {
  const found = profile?.facts.find((fact) => fact.fact === "unit" && fact.path === `${ACTIVITIES}.${field}`);
  return found?.fact === "unit" ? found.unit : undefined;
}

const isDistance = (unit: string | undefined): unit is DistanceUnit => unit !== undefined && Object.hasOwn(DISTANCE_UNITS, unit);

/** The unit of distances: as set, or as a profile observed it. */
export function distanceUnitFrom({ distanceUnit, profile }: Pick<ToolSettings, "distanceUnit" | "profile">): DistanceUnit | undefined {
  const observed = observedUnit("distance", profile);
  return distanceUnit ?? (isDistance(observed) ? observed : undefined);
}

/** The words for activities that a profile observed and that have no meaning with these settings. */
export function unexplainedWords({ activityWords, profile }: Pick<ToolSettings, "activityWords" | "profile">): string[] {
  const words = wordsOf({ activityWords });
  const observed = (profile?.facts ?? []).flatMap((fact) =>
    fact.fact === "values" && fact.path === `${ACTIVITIES}.activity` ? fact.values.map(({ value }) => value) : [],
  );
  return observed.filter((word) => !Object.hasOwn(words, word));
}

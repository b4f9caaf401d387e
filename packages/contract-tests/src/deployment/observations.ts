import type { TachoActivityPage } from "@fleetwire/core";
import { distanceUnitOf } from "@fleetwire/core/internal";
import type { PlanOutcome } from "./run-plan.ts";

/** The unit of the distance of tachograph activities, which the interface does not state. */
function distanceUnit(outcomes: PlanOutcome["outcomes"]): string[] {
  const page = outcomes.find(({ step }) => step.name === "query-tacho-activity-day")?.value as TachoActivityPage | undefined;
  if (!page) return [];
  const { unit, compared, possible } = distanceUnitOf(page.data.flatMap(({ activities = [] }) => activities));
  if (unit !== undefined) return [`unit of distance: ${unit} (from ${compared} activities)`];
  return [
    `unit of distance: unknown (${compared} comparable activities${compared > 0 ? `, possible: ${possible.join(", ") || "none"}` : ""})`,
  ];
}

/** How a deployment resolves what the interface leaves open. Observed, never documented. */
export const observationsOf = (outcomes: PlanOutcome["outcomes"]): string[] => distanceUnit(outcomes);

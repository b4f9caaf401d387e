import type { LivePosition, TachoActivityPage } from "@fleetwire/core";
import { distanceUnitOf, selectsByDate } from "@fleetwire/core/internal";
import type { PlanOutcome } from "./run-plan.ts";

/** Says whether `fromDateTime` selects positions by date, which is what FLEET_FULL_READ_SECONDS relies on. */
function selection(outcomes: PlanOutcome["outcomes"]): string[] {
  const outcomeOf = (name: string) => outcomes.find(({ step }) => step.name === name);
  const [all, since] = [outcomeOf("list-live-positions"), outcomeOf("list-live-positions-since")];
  if (all?.value === undefined || since?.value === undefined) return [];
  const from = new Date(String(since.input["fromDateTime"]));
  return selectsByDate(all.value as LivePosition[], since.value as LivePosition[], from)
    ? ["fromDateTime selects live positions by date: you can set FLEET_FULL_READ_SECONDS"]
    : ["fromDateTime does not select live positions by date: leave FLEET_FULL_READ_SECONDS unset"];
}

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
export const observationsOf = (outcomes: PlanOutcome["outcomes"]): string[] => [...selection(outcomes), ...distanceUnit(outcomes)];

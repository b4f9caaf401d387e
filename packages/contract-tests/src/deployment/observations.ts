import type { LivePosition } from "@fleetwire/core";
import { selectsByDate } from "@fleetwire/core/internal";
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

/** How a deployment resolves what the interface leaves open. Observed, never documented. */
export const observationsOf = (outcomes: PlanOutcome["outcomes"]): string[] => selection(outcomes);

import { pluralize } from "../text/pluralize.ts";
import { conditionOf } from "./conditions.ts";
import type { ResolvedRule } from "./rule-index.ts";

/** Says in words what a rule waits for, as it was understood. */
export function waitsFor({ rule, whom, area, note }: ResolvedRule): string {
  const { between, until, coolDownMinutes, late } = rule;
  const parts = [
    `when ${whom} ${conditionOf(rule).present(rule, area?.label ?? "")}`,
    ...(between ? [`between ${between[0]} and ${between[1]}`] : []),
    ...(until ? [`until ${until}`] : []),
    ...(coolDownMinutes ? [`at most once in ${pluralize(coolDownMinutes, ["minute", "minutes"])} for each`] : []),
    ...(late === "drop" ? ["not if noticed late"] : []),
    ...(note ? [`(${note})`] : []),
  ];
  return parts.join(", ").replace(", (", " (");
}

/** Says in words what a rule does. */
export const describeRule = (resolved: ResolvedRule): string => `${resolved.rule.id}: ${waitsFor(resolved)}`;

import { pluralize } from "../text/pluralize.ts";
import { conditionOf } from "./conditions.ts";
import type { ResolvedRule } from "./rule-index.ts";

/** Says in words what a rule does, as it was understood. */
export function describeRule({ rule, whom, area, note }: ResolvedRule): string {
  const { between, until, coolDownMinutes, late } = rule;
  const parts = [
    `${rule.id}: when ${whom} ${conditionOf(rule).present(rule, area?.label ?? "")}`,
    ...(between ? [`between ${between[0]} and ${between[1]}`] : []),
    ...(until ? [`until ${until}`] : []),
    ...(coolDownMinutes ? [`at most once in ${pluralize(coolDownMinutes, ["minute", "minutes"])} for each`] : []),
    ...(late === "drop" ? ["not if noticed late"] : []),
    ...(note ? [`(${note})`] : []),
  ];
  return parts.join(", ").replace(", (", " (");
}

import { type DeploymentProfile, type ProfileFact, textColumns } from "@fleetwire/core/internal";

const SHOWN = 8;

const shortList = (texts: readonly string[]) =>
  texts.length > SHOWN
    ? `${texts.slice(0, SHOWN).join(", ")} and ${texts.length - SHOWN} more`
    : texts.join(", ") || "none that can be shown";

/** A fact in a few words. */
function factText(fact: ProfileFact): [subject: string, says: string] {
  switch (fact.fact) {
    case "values":
      return [fact.path, `${shortList(fact.values.map(({ value }) => value))}${fact.withheld > 0 ? ` (${fact.withheld} withheld)` : ""}`];
    case "shape":
      return [
        `body of ${fact.status}`,
        fact.body === "json" ? `${fact.fields.length} fields` : fact.body === "text" ? "not JSON" : "empty",
      ];
    case "pageSize":
      return ["page size", `${fact.which} ${fact.size}`];
    case "unit":
      return [fact.path, `in ${fact.unit}`];
    case "listUpdate":
      return [fact.path, `${fact.effect} ${fact.effect === "adds" ? "to the existing list" : "the existing list"}`];
  }
}

/** The facts of a profile as a table for a terminal. */
export function profileTable({ facts }: DeploymentProfile): string {
  const rows = facts.map((fact) => [fact.operation, ...factText(fact), `${fact.records} of ${fact.of}`]);
  return textColumns([["operation", "of", "observed", "records"], ...rows]);
}

import { type Change, impacts } from "./change.ts";

const TITLES = { breaking: "Breaking", additive: "New", cosmetic: "Words" } as const;

/** How many changes there are of each impact. */
const countsOf = (changes: readonly Change[]): string =>
  changes.length === 0
    ? "No change."
    : `${impacts.map((impact) => `${changes.filter((change) => change.impact === impact).length} ${impact}`).join(", ")}.`;

/** The changes in Markdown, the most important ones first. */
export function releaseNote(changes: readonly Change[]): string {
  const sections = impacts.flatMap((impact) => {
    const lines = changes.filter((change) => change.impact === impact).map(({ faces, text }) => `- ${faces.join(", ")}: ${text}`);
    return lines.length === 0 ? [] : [`### ${TITLES[impact]}`, "", ...lines, ""];
  });
  return [...sections, countsOf(changes)].join("\n");
}

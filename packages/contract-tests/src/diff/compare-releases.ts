import { type Change, distinct } from "./change.ts";
import { compareDeclarations } from "./compare-declarations.ts";
import { compareDocuments } from "./compare-documents.ts";
import { compareTools } from "./compare-tools.ts";
import type { Release } from "./read-release.ts";

/** Compares what both releases have. API reports say more about the client than a document does. */
export function compareReleases(before: Release, after: Release): Change[] {
  const hasReports = before.reports !== undefined && after.reports !== undefined;
  const ofWire = before.document && after.document ? compareDocuments(before.document, after.document) : [];
  const packages = Object.keys(before.reports ?? {}).filter((name) => after.reports?.[name] !== undefined);
  const compared = [
    ...(hasReports ? ofWire.flatMap((change) => (change.faces.includes("wire") ? [{ ...change, faces: ["wire" as const] }] : [])) : ofWire),
    ...packages.flatMap((name) =>
      compareDeclarations(before.reports?.[name] ?? "", after.reports?.[name] ?? "").map((change) => ({
        ...change,
        text: `${name}: ${change.text}`,
      })),
    ),
    ...(before.tools && after.tools ? compareTools(before.tools, after.tools) : []),
  ];
  return distinct(compared);
}

/** What only one of two releases has, so that it was not compared. */
export function notCompared(before: Release, after: Release): string[] {
  const parts = { document: "an OpenAPI document", tools: "tools", reports: "API reports" };
  return Object.entries(parts).flatMap(([part, words]) => {
    const [old, now] = [before, after].map((release) => release[part as keyof Release] !== undefined);
    return old === now ? [] : [`only the ${old ? "old" : "new"} one has ${words}`];
  });
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fieldMutants } from "./field-mutants.ts";
import { type Mutant, named } from "./mutant.ts";
import { operationMutants } from "./operation-mutants.ts";
import { stepMutants } from "./step-mutants.ts";
import { keyOf, type Node, parse, type Source } from "./syntax.ts";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

const SCHEMAS = "packages/core/src/schemas";
const OPERATIONS = "packages/core/src/operations";
export const CLIENT = "packages/core/src/client";
export const TOOLS = "packages/tools/src";

/** Steps of building a request, and of decoding an answer at once, page by page and as a stream. */
const CLIENT_STEPS = [
  ...["operation-routes.ts", "parse-input.ts", "build-request.ts", "preview-request.ts"],
  ...["decode-response.ts", "check-body.ts", "check-value.ts", "compile-check.ts", "drift.ts", "field-path.ts", "printable-text.ts"],
  ...["paginate.ts", "record-scanner.ts", "stream-records.ts"],
];

/** Steps from an answer to what a model sees of it, beside those in `results/`. */
const TOOL_STEPS: Readonly<Record<string, readonly string[]>> = {
  // What only operations and shapes of a user's own reach is left to tests of tools: masked-client, wrapped-facts, derived-tool, own-operations.
  fleet: ["privacy.ts", "undocumented-fields.ts", "pseudonyms.ts", "tacho-entries.ts"],
  catalogue: [
    ...["operation-tool.ts", "derived-tool.ts", "documented-list.ts", "undocumented-list.ts", "row-columns.ts"],
    ...["flatten-rows.ts", "list-paths.ts", "list-live-positions.ts", "list-vehicle-faults.ts", "query-tacho-activity.ts"],
    ...["locate-vehicle.ts", "create-job.ts", "update-group.ts"],
  ],
};

/** What is said of a whole fleet is left to mcp-server/test/summarize-fleet.test.ts, as the tool of it is. */
const SUMMARIES = ["fleet-summary-result.ts", "concern-words.ts", "concern-list.ts"];

const sourcesIn = (folder: string, fits: (name: string) => boolean): Source[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".ts") && !name.includes(".generated.") && fits(name))
    .sort()
    .map((name) => parse(`${folder}/${name}`, readFileSync(join(root, folder, name), "utf8")));

/** An operation's own steps: its rules over several fields, and how it tells a refusal. */
const isRule = (above: readonly Node[]) =>
  above.some((node) => node.type === "Property" && ["rules", "refusal"].includes(keyOf(node) ?? ""));

/** Steps within a schema file: functions, in which inputs become what goes on the wire. */
const isInFunction = (above: readonly Node[]) =>
  above.some(({ type }) => type === "FunctionDeclaration" || type === "ArrowFunctionExpression");

/** Every mutant of the contract, and of the steps that keep to it. */
export function allMutants(): Mutant[] {
  return [
    ...sourcesIn(SCHEMAS, (name) => name !== "json-schema.ts").flatMap((source) =>
      named(source.file, [...fieldMutants(source), ...(source.file.endsWith("/scalars.ts") ? stepMutants(source, isInFunction) : [])]),
    ),
    ...sourcesIn(OPERATIONS, (name) => name !== "index.ts").flatMap((source) =>
      named(source.file, [...operationMutants(source), ...fieldMutants(source), ...stepMutants(source, isRule)]),
    ),
    ...[
      ...sourcesIn(CLIENT, (name) => CLIENT_STEPS.includes(name)),
      ...sourcesIn(`${TOOLS}/results`, (name) => !SUMMARIES.includes(name)),
      ...Object.entries(TOOL_STEPS).flatMap(([folder, names]) => sourcesIn(join(TOOLS, folder), (name) => names.includes(name))),
    ].flatMap((source) => named(source.file, stepMutants(source))),
  ];
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fieldMutants } from "./field-mutants.ts";
import { type Mutant, named } from "./mutant.ts";
import { operationMutants } from "./operation-mutants.ts";
import { root } from "./root.ts";
import { stepMutants } from "./step-mutants.ts";
import { programsAmong } from "./switches.ts";
import { keyOf, type Node, parse, type Source } from "./syntax.ts";

const FOLDERS = [
  ...["packages/core/src", "packages/driving-time/src", "packages/tools/src", "packages/mcp-server/src"],
  // From contract-tests, only the code that finds differences and removes secrets: tests start its commands, and the sandbox, as programs.
  ...["table", "checks", "recording", "replay"].map((folder) => `packages/contract-tests/src/${folder}`),
];

/** Lists of exports, generated files, samples for the documentation, and what runs only in the built command. */
const LEFT_OUT = [/\/index\.ts$/, /\.generated\.ts$/, /^packages\/core\/src\/samples\//, /\/(fleetwire-mcp|load-bundle)\.ts$/];

const SCHEMAS = "packages/core/src/schemas/";
const OPERATIONS = "packages/core/src/operations/";

/** The sources to mutate, relative to the root. */
export function productFiles(): string[] {
  return FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name}`)
      .filter((file) => !LEFT_OUT.some((pattern) => pattern.test(file)))
      .sort(),
  );
}

/** The code inside an operation: its rules over several fields, and how it recognizes a rejection. */
const isRule = (above: readonly Node[]) =>
  above.some((node) => node.type === "Property" && ["rules", "refusal"].includes(keyOf(node) ?? ""));

const isInFunction = (above: readonly Node[]) =>
  above.some(({ type }) => type === "FunctionDeclaration" || type === "ArrowFunctionExpression");

function changesOf(source: Source) {
  if (source.file.startsWith(OPERATIONS)) return [...operationMutants(source), ...fieldMutants(source), ...stepMutants(source, isRule)];
  // Besides fields, a schema file contains functions that convert inputs to the wire format.
  if (source.file.startsWith(SCHEMAS)) return [...fieldMutants(source), ...stepMutants(source, isInFunction)];
  return stepMutants(source);
}

export interface MutatedSource extends Source {
  mutants: Mutant[];
}

/** A source with all its mutants, numbered by their position in the list. */
export function mutatedSource(file: string): MutatedSource {
  const source = parse(file, readFileSync(join(root, file), "utf8"));
  return { ...source, mutants: programsAmong(source, named(file, changesOf(source))) };
}

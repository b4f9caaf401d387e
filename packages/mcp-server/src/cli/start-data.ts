import { type Operation, operations } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { catalogue, toolsets } from "@fleetwire/tools";

// Listing the tools must not require loading them: scripts/bundle.mjs replaces this file with its content as JSON.

const listed = ({ name, path, servers, auth }: Operation) => ({ name, path, servers, auth });

const definitionOf = (name: string) => {
  const {
    inputSchema: _,
    outputSchema: __,
    ...tool
  } = catalogue.find((candidate) => candidate.name === name) as (typeof catalogue)[number];
  return { ...tool, operations: tool.operations.map(listed) };
};

/** Every tool as listed, by toolset, in the order in which models see them. */
export const toolDefinitions: Readonly<Record<string, readonly ReturnType<typeof definitionOf>[]>> = Object.fromEntries(
  Object.entries(toolsets).map(([set, names]) => [set, names.map(definitionOf)]),
);

/** The environment of the embedded sandbox before it listens: complete, but with an address on which nothing listens. */
export const sandboxEnvironment: Readonly<Record<string, string>> = createSandbox().env;

/** The operations without their schemas, which is all that reading the environment needs. */
export const operationPaths: Readonly<Record<string, { path: string }>> = Object.fromEntries(
  Object.entries<Operation>(operations).map(([name, { path }]) => [name, { path }]),
);

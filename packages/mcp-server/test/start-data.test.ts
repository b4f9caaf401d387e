import { operations } from "@fleetwire/core";
import { catalogue } from "@fleetwire/tools";
import { expect, it } from "vitest";
import { operationPaths, toolDefinitions } from "../src/cli/start-data.ts";

it("a start knows every tool with its operations, without their schemas", () => {
  const listed = Object.values(toolDefinitions).flat();
  expect(listed.map(({ name }) => name)).toEqual(catalogue.map(({ name }) => name));
  for (const [at, { operations: known }] of catalogue.entries()) {
    const shown = known.map(({ name, summary, servers, auth, tool }) => ({
      name,
      summary,
      servers,
      auth,
      ...(tool && { tool: { title: tool.title } }),
    }));
    expect(listed[at]?.operations).toEqual(shown);
  }
  expect(listed.every((tool) => !("inputSchema" in tool || "outputSchema" in tool))).toBe(true);
});

it("a start knows the path of every operation", () => {
  expect(Object.keys(operationPaths)).toEqual(Object.keys(operations));
  expect(operationPaths["updateGroup"]).toEqual({ path: operations.updateGroup.path });
});

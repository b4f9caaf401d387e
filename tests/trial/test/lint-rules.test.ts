import { writeFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { TreeCopy } from "./tree-copy.ts";

const REFUSED: readonly [file: string, source: string, rule: string][] = [
  ["core/src/client/cycle-a.ts", 'import { b } from "./cycle-b.ts"; export const a = () => b;', "noImportCycles"],
  ["core/src/client/cycle-b.ts", 'import type { a } from "./cycle-a.ts"; export const b = 1 as unknown as typeof a;', "noImportCycles"],
  ["core/src/node.ts", 'import { readFileSync } from "node:fs"; export const a = readFileSync;', "noNodejsModules"],
  ["tools/src/global.ts", "export const a = typeof Buffer;", "noRestrictedGlobals"],
  ["core/src/undeclared.ts", 'import pino from "pino"; export const a = pino;', "noUndeclaredDependencies"],
  ["core/src/other-package.ts", 'export { createSandbox } from "@fleetwire/sandbox";', "noRestrictedImports"],
  ["core/src/schemas/schema.ts", 'export { operations } from "../operations/index.ts";', "noRestrictedImports"],
  ["core/src/operations/operation.ts", 'export { slots } from "../client/slots.ts";', "noRestrictedImports"],
  ["tools/src/protocol.ts", 'export { McpServer } from "@modelcontextprotocol/server";', "noRestrictedImports"],
  ["sandbox/src/client.ts", 'export { createFleetClient } from "@fleetwire/core";', "noRestrictedImports"],
  ["mcp-server/src/console.ts", 'console.log("x"); export {};', "noConsole"],
  ["contract-tests/src/tools.ts", 'export { x } from "@fleetwire/tools/host";', "noRestrictedImports"],
  ["mcp-server/src/stdout.ts", 'process.stdout.write("x"); export {};', "plugin"],
];

it("the linter refuses what the house rules and the layout forbid", () => {
  const copy = new TreeCopy();
  onTestFinished(() => copy.remove());
  for (const [file, source] of REFUSED) writeFileSync(copy.path("packages", file), source);
  const files = REFUSED.map(([file]) => `packages/${file}`);
  const { stdout } = copy.run(`npx biome lint --reporter=github --max-diagnostics=none ${files.join(" ")}`);
  const found = [...stdout.matchAll(/ title=(?:lint\/\w+\/)?(\w+),file=.*?packages\/([^,]+)/g)].map(([, rule, file]) => `${file}: ${rule}`);
  expect(found).toEqual(expect.arrayContaining(REFUSED.map(([file, , rule]) => `${file}: ${rule}`)));
});

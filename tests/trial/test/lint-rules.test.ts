import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Lints scratch files with a copy of the repository's rules, since another build could pick up files in the repository itself. */
function lint(files: Record<string, string>): { code: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-lint-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const manifests = readdirSync(join(root, "packages")).map((name) => `packages/${name}/package.json`);
  for (const path of ["biome.json", ".gitignore", "package.json", "scripts/no-stdout.grit", ...manifests])
    cpSync(join(root, path), join(folder, path));
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, "packages", path)), { recursive: true });
    writeFileSync(join(folder, "packages", path), source);
  }
  const { status, stdout, stderr } = spawnSync(join(root, "node_modules/.bin/biome"), ["lint", "--max-diagnostics=50", "packages"], {
    cwd: folder,
    encoding: "utf8",
  });
  return { code: status, output: stdout + stderr };
}

const CLEAN: Record<string, Record<string, string>> = {
  "core's client imports its operations": {
    "core/src/client/a.ts": 'import { b } from "../operations/b.ts";\nexport const a = b;\n',
    "core/src/operations/b.ts": "export const b = 1;\n",
  },
  "tools import core and use APIs of every runtime": {
    "tools/src/a.ts":
      'import { operations } from "@fleetwire/core";\nexport const a = [operations, crypto.subtle, new TextEncoder(), btoa("a")];\n',
  },
  "the sandbox imports core's operations": {
    "sandbox/src/a.ts": 'import { operations } from "@fleetwire/core";\nexport const a = operations;\n',
  },
  "the server imports core and the sandbox": {
    "mcp-server/src/a.ts":
      'import { createFleetClient } from "@fleetwire/core";\nexport const a = [createFleetClient, () => import("@fleetwire/sandbox")];\n',
  },
  "the server writes to stderr": { "mcp-server/src/a.ts": 'process.stderr.write("x");\nexport {};\n' },
  "the printer writes to stdout": { "mcp-server/src/cli/print.ts": 'process.stdout.write("x");\nexport {};\n' },
};

const REFUSED: [string, string, Record<string, string>][] = [
  [
    "an import cycle of two",
    "noImportCycles",
    {
      "mcp-server/src/a.ts": 'import { b } from "./b.ts";\nexport const a = () => b;\n',
      "mcp-server/src/b.ts": 'import { a } from "./a.ts";\nexport const b = () => a;\n',
    },
  ],
  [
    "an import cycle of three",
    "noImportCycles",
    {
      "core/src/client/a.ts": 'import { b } from "./b.ts";\nexport const a = () => b;\n',
      "core/src/client/b.ts": 'import { c } from "./c.ts";\nexport const b = () => c;\n',
      "core/src/client/c.ts": 'import { a } from "./a.ts";\nexport const c = () => a;\n',
    },
  ],
  [
    "an import cycle of types",
    "noImportCycles",
    {
      "tools/src/a.ts": 'import type { B } from "./fleet/b.ts";\nexport interface A {\n  b: B;\n}\n',
      "tools/src/fleet/b.ts": 'import type { A } from "../a.ts";\nexport type B = A[];\n',
    },
  ],
  [
    "an import cycle of a value and a re-exported type",
    "noImportCycles",
    {
      "contract-tests/draft/a.ts": 'import { b } from "./b.ts";\nexport type A = number;\nexport const a = () => b;\n',
      "contract-tests/draft/b.ts": 'export type { A } from "./a.ts";\nexport const b = 1;\n',
    },
  ],
  ["core on the sandbox", "noRestrictedImports", { "core/src/a.ts": 'export { createSandbox } from "@fleetwire/sandbox";\n' }],
  [
    "core on the server",
    "noRestrictedImports",
    { "core/src/client/a.ts": 'import { runTool } from "@fleetwire/mcp-server";\nexport const a = runTool;\n' },
  ],
  [
    "core on a Node built-in",
    "noNodejsModules",
    { "core/src/a.ts": 'import { readFileSync } from "node:fs";\nexport const a = readFileSync;\n' },
  ],
  [
    "tools on a Node built-in",
    "noNodejsModules",
    { "tools/src/a.ts": 'import { createHmac } from "node:crypto";\nexport const a = createHmac;\n' },
  ],
  ...["Buffer", "process", "global", "setImmediate"].flatMap((name) =>
    ["core", "tools"].map((place): [string, string, Record<string, string>] => [
      `${name} of Node in ${place}`,
      "core and tools run in browsers and edge runtimes",
      { [`${place}/src/a.ts`]: `export const a = typeof ${name};\n` },
    ]),
  ),
  [
    "tools on a protocol",
    "noRestrictedImports",
    { "tools/src/a.ts": 'import { McpServer } from "@modelcontextprotocol/server";\nexport const a = McpServer;\n' },
  ],
  ["console.error in tools", "noConsole", { "tools/src/a.ts": 'console.error("x");\nexport {};\n' }],
  [
    "a schema on an operation",
    "noRestrictedImports",
    {
      "core/src/schemas/a.ts": 'import { b } from "../operations/b.ts";\nexport const a = b;\n',
      "core/src/operations/b.ts": "export const b = 1;\n",
    },
  ],
  [
    "an operation on the client",
    "noRestrictedImports",
    {
      "core/src/operations/a.ts": 'import { b } from "../client/b.ts";\nexport const a = b;\n',
      "core/src/client/b.ts": "export const b = 1;\n",
    },
  ],
  [
    "the sandbox on the server",
    "noRestrictedImports",
    { "sandbox/src/a.ts": 'import { runTool } from "@fleetwire/mcp-server";\nexport const a = runTool;\n' },
  ],
  [
    "the sandbox on core's client",
    "noRestrictedImports",
    { "sandbox/src/a.ts": 'import { createFleetClient } from "@fleetwire/core";\nexport const a = createFleetClient;\n' },
  ],
  [
    "the server on contract-tests",
    "noRestrictedImports",
    { "mcp-server/src/a.ts": 'import { x } from "@fleetwire/contract-tests";\nexport const a = x;\n' },
  ],
  [
    "contract-tests on the tools",
    "noRestrictedImports",
    { "contract-tests/src/a.ts": 'import { x } from "@fleetwire/tools/host";\nexport const a = x;\n' },
  ],
  [
    "a package on an undeclared dependency",
    "noUndeclaredDependencies",
    { "core/src/a.ts": 'import pino from "pino";\nexport const a = pino;\n' },
  ],
  [
    "process.stdout in the server",
    "stdout is reserved for the protocol",
    { "mcp-server/src/tools/a.ts": 'process.stdout.write("x");\nexport {};\n' },
  ],
  ["console.log in the server", "noConsole", { "mcp-server/src/tools/a.ts": 'console.log("x");\nexport {};\n' }],
  ["console.error in the server", "noConsole", { "mcp-server/src/a.ts": 'console.error("x");\nexport {};\n' }],
  [
    "stdout of node:process in the server",
    "noRestrictedImports",
    { "mcp-server/src/a.ts": 'import { stdout } from "node:process";\nstdout.write("x");\n' },
  ],
];

describe("the lint rules", () => {
  it.each(Object.entries(CLEAN))("allow: %s", (_, files) => {
    const { code, output } = lint(files);
    expect({ code, output: code === 0 ? "" : output }).toEqual({ code: 0, output: "" });
  });

  it.each(REFUSED)("refuse %s", (_, rule, files) => {
    const { code, output } = lint(files);
    expect(output).toContain(rule);
    expect(code).toBe(1);
  });
});

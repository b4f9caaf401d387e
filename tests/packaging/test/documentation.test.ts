import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runWithMessages } from "../src/packed-package.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const options = {
  emit: "none",
  logLevel: "Warn",
  // The typecheck already does this.
  skipErrorChecking: true,
  // Links to sources need a Git remote, which not every checkout has.
  disableSources: true,
  tsconfig: here("../../../packages/core/tsconfig.build.json"),
  "validation.notDocumented": true,
  "validation.invalidLink": true,
  "validation.notExported": true,
};

// The fields of schema types are documented in the interfaces, and sort keys are names of documented fields.
const isExpected = (warning: string) => warning.includes(".__type") || /\.TachoSort\.(driver|activities)/.test(warning);

it("TypeDoc finds documentation for every public export of core with its members and references, and no broken link", async () => {
  const entryPoints = ["index.ts", "schemas/shapes.generated.ts"].flatMap((file) => [
    "--entryPoints",
    here(`../../../packages/core/src/${file}`),
  ]);
  const internal = ["NoFields", "Present", "Shape"].flatMap((name) => ["--intentionallyNotExported", name]);
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const typedoc = here("../typescript-5/node_modules/typedoc/bin/typedoc");
  const { stderr } = await runWithMessages(process.execPath, [typedoc, ...entryPoints, ...internal, ...args], here("../typescript-5"), 110);
  const warnings = stderr.split("\n").filter((line) => /^\[(warning|error)\] /.test(line));
  // Its usual warnings about schemas show that it ran.
  expect(warnings.filter(isExpected).length).toBeGreaterThan(1);
  expect(warnings.filter((warning) => !isExpected(warning) && !/Found \d+ errors? and \d+ warnings?/.test(warning))).toEqual([]);
}, 120_000);

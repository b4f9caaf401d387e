import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runWithMessages } from "../src/packed-package.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const options = {
  emit: "none",
  logLevel: "Warn",
  // The compiler of this workspace has done that.
  skipErrorChecking: true,
  // Links to sources follow from a remote, which not every checkout has.
  disableSources: true,
  tsconfig: here("../../../packages/core/tsconfig.build.json"),
  "validation.notDocumented": true,
  "validation.invalidLink": true,
  "validation.notExported": true,
};

// Schemas are values whose type alone has fields; those are documented in the interfaces. The keys to sort by are the names of documented fields.
const needless = (warning: string) => warning.includes(".__type") || /\.TachoSort\.(driver|activities)/.test(warning);

it("TypeDoc finds every public export of core documented, its members and all that they refer to, and no link that leads nowhere", async () => {
  const entryPoints = ["index.ts", "schemas/shapes.generated.ts"].flatMap((file) => [
    "--entryPoints",
    here(`../../../packages/core/src/${file}`),
  ]);
  const internal = ["NoFields", "Present", "Shape"].flatMap((name) => ["--intentionallyNotExported", name]);
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const typedoc = here("../typescript-5/node_modules/typedoc/bin/typedoc");
  const { stderr } = await runWithMessages(process.execPath, [typedoc, ...entryPoints, ...internal, ...args], here("../typescript-5"), 110);
  const warnings = stderr.split("\n").filter((line) => /^\[(warning|error)\] /.test(line));
  // What it always says of the schemas shows that it looked.
  expect(warnings.filter(needless).length).toBeGreaterThan(1);
  expect(warnings.filter((warning) => !needless(warning) && !/Found \d+ errors? and \d+ warnings?/.test(warning))).toEqual([]);
}, 120_000);

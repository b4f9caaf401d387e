import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { corePackage, type PackedCore, packCore, runProgram } from "./packed-core.ts";

const bin = (name: string) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
const cwd = fileURLToPath(new URL("..", import.meta.url));

/** Bytes of all declaration files; inferred types in place of interfaces took 137,051 while they documented nothing. */
const DECLARATIONS = 128_000;

let packed: PackedCore;

beforeAll(async () => {
  packed = await packCore();
}, 120_000);

afterAll(() => packed.remove());

describe("the package of core", () => {
  it("holds what was built of its sources, what npm adds, and the OpenAPI document", async () => {
    const sources = await readdir(join(corePackage, "src"), { recursive: true });
    const modules = sources.filter((path) => path.endsWith(".ts")).map((path) => path.replace(/\.ts$/, ""));
    const built = modules.flatMap((path) => [`dist/${path}.js`, `dist/${path}.d.ts`]);
    expect(packed.files).toEqual([...built, "LICENSE", "README.md", "openapi.json", "package.json"].sort());
  });

  it("pleases publint", async () => {
    expect(await runProgram(bin("publint"), ["run", "--strict", packed.tarball], cwd)).toContain("All good!");
  });

  // One ES module serves require() too, on every Node that is supported; the old resolution of Node 10 knows no exports.
  it("has types that every resolution finds, as attw sees it", async () => {
    const entryPoints = [".", "./operations/list-live-positions", "./samples", "./openapi.json"];
    const args = ["--profile", "esm-only", "--no-emoji", "--format", "table", packed.tarball, "--entrypoints", ...entryPoints];
    expect(await runProgram(bin("attw"), args, cwd)).toMatch(/node16 \(from ESM\) +│ OK \(ESM\) +│ OK \(ESM\) +│ OK \(ESM\) +│ OK \(JSON\)/);
  });

  it("has declaration files that stay small", async () => {
    const files = packed.files.filter((path) => path.endsWith(".d.ts"));
    const sizes = await Promise.all(files.map(async (path) => (await readFile(join(corePackage, path))).length));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`${files.length} declaration files, ${total} bytes of at most ${DECLARATIONS}`);
    expect(total).toBeLessThanOrEqual(DECLARATIONS);
  });
});

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PackedPackage, packageFolder, packPackage } from "../src/packed-package.ts";

interface Expected {
  name: string;
  /** Files other than the build output and what npm adds. */
  more: string[];
  /**
   * Maximum bytes of all declaration files without their doc comments, so that documentation costs nothing here. For core, inferred types instead of
   * interfaces took 137,051.
   */
  declarations: number;
}

const packages: Expected[] = [
  {
    name: "core",
    more: ["api.md", "openapi.json"],
    declarations: 86_000,
  },
  {
    name: "driving-time",
    more: [],
    declarations: 13_500,
  },
  {
    name: "tools",
    more: ["api.md"],
    declarations: 172_000,
  },
];

describe.each(packages)("the package of $name", ({ name, more, declarations }) => {
  let packed: PackedPackage;

  beforeAll(async () => {
    packed = await packPackage(name);
  }, 120_000);

  afterAll(() => packed.remove());

  it("holds the build output and what npm adds", async () => {
    const sources = await readdir(join(packageFolder(name), "src"), { recursive: true });
    const modules = sources.filter((path) => path.endsWith(".ts")).map((path) => path.replace(/\.ts$/, ""));
    const built = modules.flatMap((path) => [`dist/${path}.js`, `dist/${path}.d.ts`]);
    expect(packed.files).toEqual([...built, ...more, "LICENSE", "README.md", "package.json"].sort());
  });

  it("has small declaration files", async () => {
    const files = packed.files.filter((path) => path.endsWith(".d.ts"));
    const texts = await Promise.all(files.map((path) => readFile(join(packageFolder(name), path), "utf8")));
    const sizes = texts.map((text) => text.replace(/\/\*\*.*?\*\/\s*/gs, "").length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`${name}: ${files.length} declaration files, ${total} bytes (max ${declarations})`);
    expect(total).toBeLessThanOrEqual(declarations);
  });
});

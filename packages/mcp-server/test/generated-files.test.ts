import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { staleFiles, writeFiles } from "../../../scripts/generated-files.ts";
import { generate, generators } from "../../../scripts/generators.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

// Each fixtures-pass.test.ts compares what it has replayed anyway.
const rendered = generators.filter(({ name }) => name !== "presence" && name !== "tool-fields");

describe("npm run generate -- --check", () => {
  it.each(rendered)("finds what $name writes up to date (else: npm run generate)", { timeout: 180_000 }, async (generator) => {
    const files = await generate(generator);
    expect(Object.keys(files).length).toBeGreaterThan(0);
    expect(staleFiles(files, root)).toEqual([]);
  });

  it("finds files that differ, are missing or are left over, until they are written", () => {
    const folder = mkdtempSync(join(tmpdir(), "fleetwire-generated-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const written = { "docs/a.md": "a", "docs/b.md": "b" };
    writeFiles(written, folder);
    expect(staleFiles(written, folder)).toEqual([]);

    const next = { "docs/a.md": "changed", "docs/b.md": undefined, "docs/c.md": "c" };
    expect(staleFiles(next, folder)).toEqual(["docs/a.md", "docs/b.md", "docs/c.md"]);
    writeFiles(next, folder);
    expect(staleFiles(next, folder)).toEqual([]);
  });
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { packageFolder, packPackage } from "../src/packed-package.ts";

/** The packages of other authors whose code a page or program of the console contains. */
async function bundledInConsole(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(packageFolder("console"), "src", entry)],
    outdir: "out",
    bundle: true,
    write: false,
    metafile: true,
    platform: entry.endsWith(".tsx") ? "browser" : "node",
    conditions: ["fleetwire-source", "import"],
    jsx: "automatic",
    jsxImportSource: "preact",
    external: ["/console/assets/*"],
    loader: { ".png": "empty" },
    logLevel: "error",
  });
  const names = Object.keys(metafile.inputs).flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)];
}

const BUNDLED_IN_LIBRARY = ["@hono/node-server", "@modelcontextprotocol/server", "hono", "jose", "prom-client"];
const BUNDLED_IN_SERVER = [...BUNDLED_IN_LIBRARY, "commander", "leaflet", "ofetch", "pino", "zod"];

describe("the code of other authors in a package comes with its licence", () => {
  it.each([
    { name: "sandbox", file: "dist/console-page/LICENSES.txt", bundled: ["page/main.tsx", "handler/sandbox-console.ts"] },
    { name: "mcp-server", file: "dist/console-page/LICENSES.txt", bundled: ["page/main.tsx"] },
    { name: "mcp-server", file: "dist/bundle/LICENSES.txt", others: BUNDLED_IN_SERVER },
    { name: "mcp-server", file: "dist/library/LICENSES.txt", others: BUNDLED_IN_LIBRARY },
  ])("$file of $name", { timeout: 120_000 }, async ({ name, file, bundled = [], others = [] }) => {
    const packed = await packPackage(name);
    await packed.remove();
    expect(packed.files).toContain(file);
    const text = await readFile(join(packageFolder(name), file), "utf8");
    const names = [...others, ...(await Promise.all(bundled.map(bundledInConsole))).flat()];
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((one) => !new RegExp(`^${one} \\d[\\w.+-]* \\([^)]+\\)\\n\\n.*\\S`, "m").test(text))).toEqual([]);
    expect(text).toContain("GeoNames");
  });
});

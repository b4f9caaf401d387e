import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

interface Import {
  what: string;
  code: string;
  /** Bytes after minification, and after compression. */
  minified: number;
  compressed: number;
  /** Whether the bundle may include the client. */
  client?: true;
}

// The part of zod for object schemas alone is 85 kB minified and 25 kB compressed.
const imports: Import[] = [
  {
    what: "the full client",
    code: 'import { createFleetClient } from "@fleetwire/core"',
    minified: 200_000,
    compressed: 64_000,
    client: true,
  },
  {
    what: "the tools, with the client",
    code: 'import { createFleetTools } from "@fleetwire/tools"',
    minified: 590_000,
    compressed: 212_000,
    client: true,
  },
  { what: "one adapter", code: 'import { toAiSdkTools } from "@fleetwire/tools/ai-sdk"', minified: 4_000, compressed: 1_800 },
  { what: "one schema", code: 'import { LivePosition } from "@fleetwire/core"', minified: 100_000, compressed: 30_000 },
  {
    what: "one operation",
    code: 'import { listLivePositions } from "@fleetwire/core/operations/list-live-positions"',
    minified: 103_000,
    compressed: 31_000,
  },
  { what: "all operations", code: 'import { operations } from "@fleetwire/core"', minified: 135_000, compressed: 40_000 },
  { what: "the error class", code: 'import { FleetError } from "@fleetwire/core"', minified: 1_500, compressed: 700 },
];

async function bundle(code: string) {
  const name = /\{ (\w+) \}/.exec(code)?.[1];
  const { outputFiles, metafile } = await build({
    stdin: { contents: `${code};\nglobalThis.kept = ${name};`, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const contents = outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: contents.length, compressed: gzipSync(contents).length, modules: used.map(([path]) => path) };
}

describe("in a browser bundle", () => {
  it.each(imports)("$what stays within its budget", async ({ what, code, minified, compressed, client }) => {
    const { modules, ...sizes } = await bundle(code);
    console.log(`${what}: ${sizes.minified} bytes minified (max ${minified}), ${sizes.compressed} compressed (max ${compressed})`);
    expect(sizes.minified).toBeLessThanOrEqual(minified);
    expect(sizes.compressed).toBeLessThanOrEqual(compressed);
    expect(modules.some((path) => path.includes("core/dist/client/"))).toBe(client ?? false);
  });
});

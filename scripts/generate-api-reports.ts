import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { reportApis } from "./api-extractor.mjs";
import type { GeneratedFiles } from "./generated-files.ts";

interface Manifest {
  name: string;
  private?: boolean;
  publishConfig?: { exports: Record<string, string | { types: string }> };
}

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

/** The declaration files of a package's entry points, by their path; a pattern stands for several. */
function declarationsOf(folder: string, { publishConfig }: Manifest): [string, string][] {
  return Object.entries(publishConfig?.exports ?? {}).flatMap(([path, target]) => {
    // Other packages of this repository use it, without any promise.
    if (typeof target === "string" || path === "./internal") return [];
    const [before = "", after] = target.types.split("*");
    if (after === undefined) return [[path, target.types]];
    return readdirSync(join(folder, before))
      .filter((file) => file.endsWith(after) && file !== `index${after}`)
      .sort()
      .map((file): [string, string] => [path.replace("*", file.slice(0, -after.length)), join(before, file)]);
  });
}

/** Exports of the first entry point, then each other entry point as a namespace, so that a type that several show appears once. */
function entryOf(folder: string, from: string, manifest: Manifest): string {
  const lines = declarationsOf(folder, manifest).map(([path, file]) => {
    const as = path === "." ? "*" : `* as ${path.slice(2).replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
    return `export ${as} from "${relative(from, join(folder, file)).replace(/\.d\.ts$/, ".js")}";\n`;
  });
  return lines.join("");
}

/** Writes what each public package declares to its users, so that a review shows every change of it. */
export async function generate(): Promise<GeneratedFiles> {
  const temporary: string[] = [];
  try {
    const reported = readdirSync(packages).flatMap((path) => {
      const folder = join(packages, path);
      const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      if (manifest.private) return [];
      const inside = mkdtempSync(join(folder, ".api-"));
      temporary.push(inside);
      const entryPoint = join(inside, "entry.d.ts");
      writeFileSync(entryPoint, entryOf(folder, inside, manifest));
      return [{ folder, entryPoint, path, name: manifest.name }];
    });
    const reports = reportApis(reported);
    return Object.fromEntries(
      reported.map(({ path, name }, at) => {
        const heading = `# API of \`${name}\`\n\nWritten by \`npm run generate\` with API Extractor. Other entry points than the first are namespaces here.\n`;
        return [`packages/${path}/api.md`, `${heading}\n\`\`\`ts\n${reports[at]}\n\`\`\`\n`];
      }),
    );
  } finally {
    for (const folder of temporary) rmSync(folder, { recursive: true });
  }
}

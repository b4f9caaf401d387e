import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { reportApi } from "./api-extractor.mjs";
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

/** The report of a package: exports of the first entry point, then each other entry point as a namespace, so that a type that several show appears once. */
function reportOf(folder: string, manifest: Manifest): string {
  const temporary = mkdtempSync(join(folder, ".api-"));
  try {
    const entry = join(temporary, "entry.d.ts");
    const lines = declarationsOf(folder, manifest).map(([path, file]) => {
      const as = path === "." ? "*" : `* as ${path.slice(2).replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
      return `export ${as} from "${relative(temporary, join(folder, file)).replace(/\.d\.ts$/, ".js")}";\n`;
    });
    writeFileSync(entry, lines.join(""));
    return reportApi(folder, entry);
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** Writes what each public package declares to its users, so that a review shows every change of it. */
export async function generate(): Promise<GeneratedFiles> {
  return Object.fromEntries(
    readdirSync(packages).flatMap((name) => {
      const manifest: Manifest = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
      if (manifest.private) return [];
      const heading = `# API of \`${manifest.name}\`\n\nWritten by \`npm run generate\` with API Extractor. Other entry points than the first are namespaces here.\n`;
      return [[`packages/${name}/api.md`, `${heading}\n\`\`\`ts\n${reportOf(join(packages, name), manifest)}\n\`\`\`\n`]];
    }),
  );
}

import { readdirSync, readFileSync } from "node:fs";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { blocks } from "./host-blocks.ts";
import { manifests } from "./host-manifests.ts";

const pages = new URL("../../../docs/hosts/", import.meta.url);

function withBlocks(file: string): string {
  return readFileSync(new URL(file, pages), "utf8").replace(
    /(<!-- block (\S+) -->\n).*?(<!-- end -->)/gs,
    (_, start, name: string, end) => {
      const block = blocks[name];
      if (block === undefined) throw new Error(`docs/hosts/${file} has an unknown block: ${name}`);
      return `${start}\n${block}\n\n${end}`;
    },
  );
}

/** What hosts install, and the blocks in the pages about hosts. */
export async function generate(): Promise<GeneratedFiles> {
  return {
    ...Object.fromEntries(Object.entries(manifests).map(([path, manifest]) => [path, `${JSON.stringify(manifest, null, 2)}\n`])),
    ...Object.fromEntries(readdirSync(pages).map((file) => [`docs/hosts/${file}`, withBlocks(file)])),
  };
}

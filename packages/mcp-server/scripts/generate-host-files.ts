import { readFileSync } from "node:fs";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { blocks } from "./host-blocks.ts";
import { manifests } from "./host-manifests.ts";

const page = new URL("../../../docs/hosts.md", import.meta.url);

function withBlocks(): string {
  return readFileSync(page, "utf8").replace(/(<!-- block (\S+) -->\n).*?(<!-- end -->)/gs, (_, start, name: string, end) => {
    const block = blocks[name];
    if (block === undefined) throw new Error(`docs/hosts.md has an unknown block: ${name}`);
    return `${start}\n${block}\n\n${end}`;
  });
}

/** What hosts install, and the blocks in the page about hosts. */
export async function generate(): Promise<GeneratedFiles> {
  return {
    ...Object.fromEntries(Object.entries(manifests).map(([path, manifest]) => [path, `${JSON.stringify(manifest, null, 2)}\n`])),
    "docs/hosts.md": withBlocks(),
  };
}

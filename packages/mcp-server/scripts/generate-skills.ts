import { readdirSync, readFileSync } from "node:fs";
import { skillEntry } from "@modelcontextprotocol/server/ext/skills";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";

const folder = new URL("../../../skills/", import.meta.url);
const FILE = "SKILL.md";

/** The skills, for the plugins. The SDK checks their frontmatter. */
export async function generate(): Promise<GeneratedFiles> {
  const texts = readdirSync(folder).map((name) => [name, readFileSync(new URL(`${name}/${FILE}`, folder), "utf8")] as const);
  await Promise.all(texts.map(([name, text]) => skillEntry(name, { [FILE]: text })));
  return Object.fromEntries(texts.map(([name, text]) => [`plugins/fleetwire/skills/${name}/${FILE}`, text]));
}

import type { McpServer } from "@modelcontextprotocol/server";
import { type Skill, type SkillSource, SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import type { ServedTools } from "./served-tools.ts";
import { skills } from "./skills.generated.ts";

const HOUR = 3_600_000;
const MARKDOWN = "text/markdown";

/** The tool without which a skill is of no use. */
const neededBy = ({ frontmatter }: Skill) => String((frontmatter["metadata"] as { needs?: unknown } | undefined)?.needs);

/** Registers the skills (`io.modelcontextprotocol/skills`). A skill is omitted if the tool that it needs is not offered. */
export function skillRegistrar({ byName }: Pick<ServedTools, "byName">): (server: McpServer) => void {
  const offered = new Map(skills.filter(({ entry }) => byName.has(neededBy(entry))).map((skill) => [skill.entry.uri, skill]));
  if (offered.size === 0) return () => {};
  const entries = [...offered.values()].map(({ entry }) => entry);
  const source: SkillSource = {
    list: async () => ({ skills: entries }),
    get: async (uri) => offered.get(uri)?.entry,
    read: async (uri) => {
      const skill = offered.get(uri);
      return skill && { text: skill.text, mimeType: MARKDOWN };
    },
    // Hosts that do not know the extension let their users attach them.
    listResources: async () =>
      entries.map(({ uri, frontmatter: { name, description } }) => ({ uri, name, description, mimeType: MARKDOWN })),
  };
  // Private: which skills there are depends on the customer's tools.
  const extension = new SkillsExtension({ source, cacheHint: { ttlMs: HOUR, cacheScope: "private" } });
  return (server) => extension.attach(server);
}

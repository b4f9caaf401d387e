import { existsSync, readdirSync } from "node:fs";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { describedServer } from "./described-server.ts";

const FOLDER = "packages/mcp-server/snapshots";

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The committed snapshots, including those of tools that no longer exist. */
function committed(): string[] {
  const folder = new URL("../snapshots/tools/", import.meta.url);
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Snapshots of what a host sees: one file per tool, and `server.json` for everything else. */
export async function generate(): Promise<GeneratedFiles> {
  const { tools, ...server } = await describedServer();
  return {
    ...Object.fromEntries(committed().map((file) => [`${FOLDER}/tools/${file}`, undefined])),
    ...Object.fromEntries(tools.map((tool) => [`${FOLDER}/tools/${tool.name}.json`, json(tool)])),
    [`${FOLDER}/server.json`]: json({ ...server, tools: tools.map(({ name }) => name) }),
  };
}

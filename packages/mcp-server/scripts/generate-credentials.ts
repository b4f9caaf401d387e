import { readFileSync } from "node:fs";
import { clientVariables, type EnvironmentVariable, type ServerName } from "@fleetwire/core";
import { serverVariables } from "@fleetwire/core/internal";
import { createSandbox } from "@fleetwire/sandbox";
import { fleetToolsConfigFromEnv, toolAvailability } from "@fleetwire/tools";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { markdownTable } from "../../../scripts/markdown-table.ts";

const PAGE = "docs/credentials.md";

/** The tools that are missing if one server is not configured. Few deployments have a server of their own for groups, so there is none here. */
function toolsOf(server: ServerName): string[] {
  const config = fleetToolsConfigFromEnv(createSandbox().env);
  const without = { ...config, servers: { ...config.servers, fleet: undefined, [server]: undefined } };
  return toolAvailability(without).flatMap(({ tool, available }) => (available ? [] : [`\`${tool.name}\``]));
}

function broughtBy(variable: string, { required }: EnvironmentVariable): string {
  // The path of the token request serves the tools that need the token service.
  if (variable === "FLEET_TOKEN_PATH") return toolsOf("auth").join(", ");
  const server = (Object.keys(serverVariables) as ServerName[]).find((name) => serverVariables[name] === variable);
  if (required && server === undefined) return "every tool";
  return server === undefined ? "" : toolsOf(server).join(", ");
}

/** Generates the table and the block to copy of the page about credentials. */
export async function generate(): Promise<GeneratedFiles> {
  const connection = Object.entries<EnvironmentVariable>(clientVariables).filter(([, { connection }]) => connection);
  const rows = connection.map(([name, variable]) => [`\`${name}\``, variable.description, broughtBy(name, variable)] as const);
  const asked = rows.filter(([, , tools]) => tools !== "");
  const table = markdownTable(["variable", "", "tools that need it"], asked);
  const block = `\`\`\`sh\n${asked.map(([name]) => `${name.slice(1, -1)}=`).join("\n")}\n\`\`\``;
  const page = readFileSync(new URL(`../../../${PAGE}`, import.meta.url), "utf8");
  const between = (name: string) => new RegExp(`(?<=<!-- ${name} -->\\n\\n)[^]*?(?=\\n\\n<!-- /${name} -->)`);
  for (const name of ["table", "block"]) if (!between(name).test(page)) throw new Error(`${PAGE} has no place for the ${name}`);
  return { [PAGE]: page.replace(between("table"), () => table).replace(between("block"), () => block) };
}

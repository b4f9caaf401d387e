import { readFileSync } from "node:fs";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { markdownTable } from "../../../scripts/markdown-table.ts";
import { type AuthScheme, type Operation, operations } from "../src/index.ts";

const CREDENTIALS: Record<AuthScheme, string> = { basic: "Basic", bearer: "access token", "connect-token": "access token" };

/** A call goes to the first configured server and uses the first authentication scheme, unless another scheme is configured. */
function row({ name, method, summary, servers, auth }: Operation): string[] {
  return [
    `\`${name}\``,
    `${method}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    servers.map((server, at) => `\`${server}\`${at < servers.length - 1 ? " if set" : ""}`).join(", else "),
    auth.map((scheme, at) => (at === 0 ? CREDENTIALS[scheme] : `(or ${CREDENTIALS[scheme]})`)).join(" "),
  ];
}

/** Generates the table of operations in core's README. */
export async function generate(): Promise<GeneratedFiles> {
  const table = markdownTable(["method", "request", "server", "credentials"], Object.values<Operation>(operations).map(row));
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const section = /(?<=^## Operations\n\n)(?:\|.*\n)+/m;
  if (!section.test(readme)) throw new Error('packages/core/README.md has no table under the heading "## Operations"');
  return { "packages/core/README.md": readme.replace(section, `${table}\n`) };
}

import { readFileSync } from "node:fs";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { markdownTable } from "../../../scripts/markdown-table.ts";
import { type AuthScheme, type Operation, operations } from "../src/index.ts";

const CREDENTIALS: Record<AuthScheme, string> = { basic: "Basic", bearer: "access token", "connect-token": "access token" };

/** The first configured server is called, and the first authentication scheme is used unless another one is chosen. */
function row({ name, method, summary, servers, auth }: Operation): string[] {
  return [
    `\`${name}\``,
    `${method}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    servers.map((server, at) => `\`${server}\`${at < servers.length - 1 ? " if set" : ""}`).join(", else "),
    auth.map((scheme, at) => (at === 0 ? CREDENTIALS[scheme] : `(or ${CREDENTIALS[scheme]})`)).join(" "),
  ];
}

/** core's README with its table of operations. */
export async function generate(): Promise<GeneratedFiles> {
  const table = markdownTable(["method", "request", "server", "credentials"], Object.values<Operation>(operations).map(row));
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const section = /(?<=^## Operations\n\n)(?:\|.*\n)+/m;
  if (!section.test(readme)) throw new Error('packages/core/README.md has no table under the heading "## Operations"');
  return { "packages/core/README.md": readme.replace(section, `${table}\n`) };
}

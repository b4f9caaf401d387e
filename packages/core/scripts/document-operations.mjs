// Writes the table of operations in README.md from the built contract; with `--check`, fails if the table is stale.
import { readFileSync, writeFileSync } from "node:fs";
import { operations } from "../dist/index.js";

const CREDENTIALS = { basic: "Basic", bearer: "access token", "connect-token": "access token" };

/** The first configured server is called, and the first authentication scheme is the default. */
const cells = Object.values(operations).map(({ name, method, summary, servers, auth }) => [
  `\`${name}\``,
  `${method}: ${summary[0].toLowerCase()}${summary.slice(1)}`,
  servers.map((server, at) => `\`${server}\`${at < servers.length - 1 ? " if set" : ""}`).join(", else "),
  auth.map((scheme, at) => (at === 0 ? CREDENTIALS[scheme] : `(or ${CREDENTIALS[scheme]})`)).join(" "),
]);
const rows = [["method", "request", "server", "credentials"], ["-", "-", "-", "-"], ...cells];
const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
const table = rows.map((row, at) => `| ${row.map((cell, column) => cell.padEnd(widths[column], at === 1 ? "-" : " ")).join(" | ")} |`);

const file = new URL("../README.md", import.meta.url);
const before = readFileSync(file, "utf8");
const after = before.replace(/(?<=^## Operations\n\n)(?:\|.*\n)+/m, `${table.join("\n")}\n`);
if (process.argv[2] !== "--check") writeFileSync(file, after);
else if (before !== after) {
  process.stderr.write("The table of operations in packages/core/README.md is stale: run npm run generate\n");
  process.exitCode = 1;
}

// Writes the tools listed by the built server to baselines/tools.json. `--check [FILE]` fails if they differ instead.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const [check, file = at("../../../packages/contract-tests/baselines/tools.json")] = process.argv.slice(2);
const server = `"${process.execPath}" "${at("../../../packages/mcp-server/dist/fleetwire-mcp.js")}" --sandbox`;

const { status } = spawnSync(
  at("../node_modules/.bin/redocly"),
  ["introspect-mcp", "--command", server, "--output", file, ...(check === "--check" ? ["--check"] : [])],
  // The listed tools depend on the configuration, so use the sandbox's only.
  { stdio: "inherit", env: { PATH: process.env["PATH"], REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
);
process.exit(status ?? 1);

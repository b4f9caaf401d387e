import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { operations } from "@fleetwire/core";
import { environmentVariables } from "@fleetwire/mcp-server/environment";
import { createSandbox } from "@fleetwire/sandbox";
import { afterAll, beforeAll } from "vitest";
import { type Served, serveSandbox } from "./served-sandbox.ts";

export const BIN = fileURLToPath(new URL("../../../packages/mcp-server/dist/fleetwire-mcp.js", import.meta.url));

/** How a host starts a server. */
export interface Launch {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");

const page = read("docs/hosts.md");

/** A block of the page about hosts: the code in it, or the address of its link. */
export function block(name: string): string {
  const text = page.match(new RegExp(`<!-- block ${name} -->\\n(.*?)<!-- end -->`, "s"))?.[1] ?? "";
  const found = /^```\w+\n(.*?)^```$/ms.exec(text) ?? /^\[.*\]\((.*)\)$/m.exec(text);
  if (found?.[1] === undefined) throw new Error(`docs/hosts.md has no block ${name}`);
  return found[1];
}

/** A file of the repository that a host reads. */
export const manifest = (path: string) => JSON.parse(read(path));

/** What the pages tell users to start; the built server takes its place. */
export const PACKAGE = "npx -y @fleetwire/mcp-server";

/** A snippet with the built server and placeholders filled in. */
export function filledIn({ command, args, env = {} }: Launch, values: Readonly<Record<string, string>>): Launch {
  const filled = Object.entries(env).map(([name, placeholder]) => {
    // The server would ignore an unknown variable.
    if (!Object.hasOwn(environmentVariables, name)) throw new Error(`${name} is not a variable of Fleetwire`);
    const value = values[name];
    const prompt = `\${input:${name.toLowerCase().replaceAll("_", "-")}}`;
    if (!["...", "https://...", "/...", prompt].includes(placeholder) || value === undefined)
      throw new Error(`${name}=${placeholder} is not a placeholder that the test can fill in`);
    return [name, value] as const;
  });
  const line = [command, ...args].join(" ").replace(/^cmd \/c /, "");
  if (!line.startsWith(PACKAGE)) throw new Error(`${line} does not start the server`);
  return { command: "node", args: [BIN], env: Object.fromEntries(filled) };
}

/** What the pages call a server for a team. */
export const TEAM = "https://fleet.example.com/mcp";

/** The token of a caller of the server over HTTP. */
export const TOKEN = "fwt_canary-of-a-host";

/** For the tests of a file: a service with its variables, and the server over HTTP, which asks for the token. */
export function aroundSnippets(): { values: Readonly<Record<string, string>>; served: Served } {
  const sandbox = createSandbox();
  const around = {} as { values: Readonly<Record<string, string>>; served: Served };
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-tokens-"));
  beforeAll(async () => {
    around.values = { FLEET_TOKEN_PATH: operations.requestAccessToken.path, ...(await sandbox.listen()).env };
    const tokens = [{ name: "host", hash: createHash("sha256").update(TOKEN).digest("base64url"), scopes: ["fleet:read"] }];
    const path = join(folder, "tokens.json");
    writeFileSync(path, JSON.stringify({ tokens }), { mode: 0o600 });
    around.served = await serveSandbox({ FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: path });
  });
  afterAll(async () => {
    await around.served.stop();
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });
  return around;
}

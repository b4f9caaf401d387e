import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
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

/** The snippets in one language in a section of a document. */
export function snippets(path: string, heading: string, language: string): string[] {
  const [, section = ""] = read(path).split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  return [...own.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, text = ""]) => (name === language ? [text] : []));
}

/** The JSON cells in a section's tables, with the first cell of their row. */
export function jsonCells(path: string, heading: string): [string, string][] {
  const [, section = ""] = read(path).split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  return [...own.matchAll(/^\| ([^|]+?) +\| `(\{.*\})` +\|$/gm)].map(([, host = "", json = ""]) => [host, json]);
}

/** A snippet with paths and placeholders filled in. */
export function filledIn({ command, args, env = {} }: Launch, values: Readonly<Record<string, string>>): Launch {
  const filled = Object.entries(env).map(([name, placeholder]) => {
    // The server would ignore an unknown variable.
    if (!Object.hasOwn(environmentVariables, name)) throw new Error(`${name} is not a variable of Fleetwire`);
    const value = values[name];
    if (!/^(\.\.\.|https:\/\/\.\.\.|\$\{input:fleet-secret\})$/.test(placeholder) || value === undefined)
      throw new Error(`${name}=${placeholder} is not a placeholder that the test can fill in`);
    return [name, value] as const;
  });
  return {
    command,
    args: args.map((arg) => (/^(FLEET|\/path\/to\/fleetwire\/.*\/fleetwire-mcp)\.js$/.test(arg) ? BIN : arg)),
    env: Object.fromEntries(filled),
  };
}

/** For the tests of a file: a service with its variables, and the server over HTTP. */
export function aroundSnippets(): { values: Readonly<Record<string, string>>; served: Served } {
  const sandbox = createSandbox();
  const around = {} as { values: Readonly<Record<string, string>>; served: Served };
  beforeAll(async () => {
    around.values = (await sandbox.listen()).env;
    around.served = await serveSandbox();
  });
  afterAll(async () => {
    await around.served.stop();
    await sandbox.close();
  });
  return around;
}

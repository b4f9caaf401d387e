import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVER, startProgram } from "@fleetwire/packaging/started-program";
import { expect, onTestFinished } from "vitest";

export type Variables = Readonly<Record<string, string>>;

/** A token file without tokens. */
export const NO_TOKENS: string = JSON.stringify({ tokens: [] });

/** The variables of a file of `NAME=value` lines. Variables without a value get a made-up one. */
export const variablesOf = (text: string): Variables =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value]) => [name, value || btoa("canary-".padEnd(32, name))]));

/** The text with one of its alternatives, which are comments, chosen: lines such as `#NAME=value` or `# NAME: value` that name one of these variables. */
export const choosing = (text: string, ...names: string[]): string =>
  names.reduce((chosen, name) => chosen.replace(new RegExp(`^( *)# ?(?=${name}\\b[:=])`, "m"), "$1"), text);

/** The variables without some. */
export const without = (variables: Variables, ...names: string[]): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));

/** What a reader of an example changes for ChatGPT and Claude.ai. */
export const OAUTH: readonly string[] = ["FLEET_CALLER_AUTH", "FLEET_OAUTH_ISSUER"];

/** Starts the server with a deployment's variables, but with its files in a local folder. Its Redis does not exist here, which must not matter. */
export async function starts(env: Variables, files: Variables): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-manifests-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const placed = Object.entries(files).map(([variable, text]) => {
    const path = join(folder, variable);
    writeFileSync(path, text, { mode: 0o600 });
    return [variable, path];
  });
  const server = await startProgram(process.execPath, {
    args: [SERVER, "http", "--port", "0"],
    env: { ...env, ...Object.fromEntries(placed) },
    pattern: /ready at ([^\s"]+)["\n]/,
  });
  onTestFinished(() => server.end());
  const { status } = await fetch(new URL("/healthz", server.ready));
  expect(status).toBe(200);
}

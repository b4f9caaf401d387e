import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@fleetwire/packaging";
import { createSandbox } from "@fleetwire/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../vitest/free-port.ts";
import { INSTALL_TIMEOUT, node24Path } from "./install-packages.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/oauth", import.meta.url));
const SERVER = fileURLToPath(new URL("../../../packages/mcp-server/dist/fleetwire-mcp.js", import.meta.url));
const PASSWORD = "canary-password";
const DOCUMENT = "https://terminal.example/client.json";
const REDIRECT = "http://127.0.0.1/callback";

const started: ChildProcess[] = [];

/** Starts a program. `printed` waits for a pattern in its output, and returns its first group, or undefined once it has ended without. */
function start(program: string, args: readonly string[], env: Record<string, string>) {
  const child = spawn(program, args, { env: { PATH: process.env["PATH"] ?? "", ...env }, stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "close");
  const printed = async (pattern: RegExp): Promise<string | undefined> => {
    for (;;) {
      const found = pattern.exec(output);
      if (found) return found[1];
      if (child.exitCode !== null) return undefined;
      await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), ended]);
    }
  };
  return { output: () => output, printed, ended };
}

interface SigningIn {
  name: string;
  password: string;
  /** Where the reply goes: the browser stops before it. */
  redirectUri: string;
}

/** A user's browser signs in: it keeps cookies, follows redirects and submits the form. Returns where it is sent, or throws with the text of a page. */
async function signIn(page: string, { name, password, redirectUri }: SigningIn): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(page);
  let init: RequestInit = {};
  for (let hop = 0; hop < 10; hop++) {
    const cookie = [...cookies].map((entry) => entry.join("=")).join("; ");
    const response = await fetch(at, { ...init, redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(key, value);
    }
    const location = response.headers.get("location");
    if (location === null && (response.status !== 200 || init.method)) throw new Error(`${response.status}: ${await response.text()}`);
    init = location === null ? { method: "POST", body: new URLSearchParams({ name, password }) } : {};
    at = new URL(location ?? at, at);
    if (at.href.startsWith(redirectUri)) return at;
  }
  throw new Error("too many redirects");
}

let folder: string;
let node: string;
let issuer: string;
let url: string;
let server: ReturnType<typeof start>;
const sandbox = createSandbox();
const documents = createServer((_, response) => {
  const described = { client_id: DOCUMENT, client_name: "Terminal", redirect_uris: [REDIRECT], application_type: "native" };
  const document = { ...described, token_endpoint_auth_method: "none", grant_types: ["authorization_code"], response_types: ["code"] };
  response.setHeader("content-type", "application/json").end(JSON.stringify(document));
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleetwire-oauth-"));
  await cp(EXAMPLE, folder, { recursive: true });
  const npm = ["install", "--prefer-offline", "--no-audit", "--no-fund"];
  [node] = await Promise.all([node24Path(), runProgram("npm", npm, folder, 280)]);
  const variables = Object.entries((await sandbox.listen()).env);
  const settings = Object.fromEntries(variables.map(([name]) => [name, { env: `SANDBOX_${name}` }]));
  await writeFile(join(folder, "tenants.json"), JSON.stringify({ tenants: { north: { settings }, south: { settings } } }));
  issuer = `http://127.0.0.1:${await freePort()}`;
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mcp`;
  server = start(process.execPath, [SERVER, "http", "--port", String(port)], {
    FLEET_CALLER_AUTH: "oauth",
    FLEET_OAUTH_ISSUER: issuer,
    FLEET_PUBLIC_URL: url,
    FLEET_TENANTS_FILE: join(folder, "tenants.json"),
    FLEET_LOG: "info",
    FLEET_CONFIRM: "never",
    ...Object.fromEntries(variables.map(([name, value]) => [`SANDBOX_${name}`, value])),
  });
  await server.printed(/ready (at)/);
  documents.listen(0, "127.0.0.1");
  await once(documents, "listening");
  // Stands for the internet: the document's host is a local server without TLS, which the authorization server would never ask.
  const internet = `const { fetch } = globalThis;
    globalThis.fetch = (asked, { dispatcher, ...options } = {}) =>
      String(asked) === "${DOCUMENT}" ? fetch("http://127.0.0.1:${(documents.address() as AddressInfo).port}", options) : fetch(asked, options);`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(internet)}`;
  const env = { ISSUER: issuer, RESOURCE: url, PORT: new URL(issuer).port, PASSWORD, NODE_OPTIONS };
  await start(node, [join(folder, "authorization-server.mjs")], env).printed(/(authorization server) for/);
}, INSTALL_TIMEOUT);

afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  documents.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the example's host, signs in wherever it asks to, and returns what it prints. */
async function runHost(name: string, args: readonly string[], more: Record<string, string> = {}) {
  const host = start(node, [join(folder, "client.mjs"), url, ...args], more);
  const asked: URL[] = [];
  for (;;) {
    const pattern = new RegExp(`(?:open \\S+[\\s\\S]*?){${asked.length}}open (http:\\S+)\\n`);
    const next = await host.printed(pattern);
    if (next === undefined) break;
    asked.push(new URL(next));
    const redirectUri = asked.at(-1)?.searchParams.get("redirect_uri") ?? "";
    // A host that is refused again prints a last page and ends, so nobody waits for the reply.
    await fetch(await signIn(next, { name, password: PASSWORD, redirectUri })).catch(() => {});
  }
  await host.ended;
  return { output: host.output(), asked };
}

describe("examples/oauth", () => {
  it("a host without anything but the address registers itself, signs its user in, and calls a tool for the user's customer", async () => {
    const { output, asked } = await runHost("mia", []);
    expect(output).toMatch(/^registered as \S+$[\s\S]*^signed in for fleet:read$[\s\S]*^Truck 12 \(/m);
    expect(asked.map(({ searchParams: asks }) => [asks.get("scope"), asks.get("resource"), asks.get("code_challenge_method")])).toEqual([
      ["fleet:read", url, "S256"],
    ]);
    expect(server.output()).toMatch(/"caller":"mia","customer":"[^"]+","tenant":"north"/);
  });

  it("a host with a client id metadata document need not register", async () => {
    const { output, asked } = await runHost("noah", [], { CLIENT_METADATA_URL: DOCUMENT });
    expect(asked[0]?.searchParams.get("client_id")).toBe(DOCUMENT);
    expect(output).toMatch(/^signed in for fleet:read$[\s\S]*^Truck 12 \(/m);
    expect(server.output()).toMatch(/"caller":"noah","customer":"[^"]+","tenant":"south"/);
  });

  it("asks for more once a tool writes, and creates the job only for who may", async () => {
    const job = ["create_job", '{"address": "Quai Perrache 10, Lyon"}'];
    const allowed = await runHost("mia", job);
    expect(allowed.asked.map(({ searchParams }) => searchParams.get("scope"))).toEqual(["fleet:read", "fleet:read fleet:write"]);
    expect(allowed.output).toMatch(/^Job created/m);
    const refused = await runHost("noah", job);
    expect(refused.output).toMatch(/^signed in for fleet:read$[\s\S]*Error: /m);
    expect(refused.output).not.toMatch(/Job created/);
  });

  it("does not sign in with a wrong password, nor without PKCE", async () => {
    const page = (more: object) =>
      `${issuer}/auth?${new URLSearchParams({ client_id: DOCUMENT, redirect_uri: REDIRECT, response_type: "code", scope: "fleet:read", ...more })}`;
    const pkce = { code_challenge: "x".repeat(43), code_challenge_method: "S256" };
    const wrong = { name: "mia", password: "canary-other", redirectUri: REDIRECT };
    await expect(signIn(page(pkce), wrong)).rejects.toThrow("401");
    expect((await signIn(page({}), wrong)).searchParams.get("error")).toBe("invalid_request");
  });
});

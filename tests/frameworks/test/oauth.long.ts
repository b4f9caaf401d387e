import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
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
import { signIn } from "./oauth-browser.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/oauth", import.meta.url));
const SERVER = fileURLToPath(new URL("../../../packages/mcp-server/dist/fleetwire-mcp.js", import.meta.url));
const PASSWORD = "canary-password";
const DOCUMENT = "https://terminal.example/client.json";
const REDIRECT = "http://127.0.0.1/callback";
const AN_HOUR_AHEAD = "const { now } = Date; Date.now = () => now() + 3_600_000;";

const importing = (code: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });

interface Started {
  child: ChildProcess;
  output: () => string;
  /** Waits for a pattern in the output, and returns its first group. */
  printed: (pattern: RegExp) => Promise<string>;
}

const started: ChildProcess[] = [];

function start(program: string, args: readonly string[], env: Record<string, string>): Started {
  const child = spawn(program, args, { env: { PATH: process.env["PATH"] ?? "", ...env }, stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let output = "";
  const onOutput = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const notify of onOutput) notify();
    });
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output);
        if (found) resolve(found[1] ?? found[0]);
        if (found) onOutput.delete(look);
      };
      onOutput.add(look);
      child.once("close", (code) => reject(new Error(`ended with ${code}: ${output}`)));
      look();
    });
  return { child, output: () => output, printed };
}

let folder: string;
let node: string;
let issuer: string;
let url: string;
let server: Started;
let sandbox: Awaited<ReturnType<ReturnType<typeof createSandbox>["listen"]>> & { close: () => Promise<void> };
let documents: ReturnType<typeof createServer>;

/** `fleetwire-mcp http` for two customers, with the authorization server's address. */
async function startServer(more: Record<string, string> = {}): Promise<{ url: string; server: Started }> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/mcp`;
  const env = {
    FLEET_CALLER_AUTH: "oauth",
    FLEET_OAUTH_ISSUER: issuer,
    FLEET_PUBLIC_URL: address,
    FLEET_TENANTS_FILE: join(folder, "tenants.json"),
    FLEET_LOG: "info",
    FLEET_CONFIRM: "never",
    ...Object.fromEntries(Object.entries(sandbox.env).map(([name, value]) => [`SANDBOX_${name}`, value])),
    ...more,
  };
  const program = start(process.execPath, [SERVER, "http", "--port", String(port)], env);
  await program.printed(/ready at/);
  return { url: address, server: program };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleetwire-oauth-"));
  await cp(EXAMPLE, folder, { recursive: true });
  const service = createSandbox();
  const [path] = await Promise.all([
    node24Path(),
    runProgram("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], folder, 280),
  ]);
  node = path;
  sandbox = { ...(await service.listen()), close: () => service.close() };
  const settings = Object.fromEntries(Object.keys(sandbox.env).map((name) => [name, { env: `SANDBOX_${name}` }]));
  await writeFile(join(folder, "tenants.json"), JSON.stringify({ tenants: { north: { settings }, south: { settings } } }));
  issuer = `http://127.0.0.1:${await freePort()}`;
  ({ url, server } = await startServer());

  documents = createServer((_, response) => {
    const described = { client_id: DOCUMENT, client_name: "Terminal", redirect_uris: [REDIRECT], application_type: "native" };
    const document = { ...described, token_endpoint_auth_method: "none", grant_types: ["authorization_code"], response_types: ["code"] };
    response.setHeader("content-type", "application/json").end(JSON.stringify(document));
  }).listen(0, "127.0.0.1");
  await once(documents, "listening");
  // Stands for the internet: the document's host is a local server without TLS, which the authorization server would never ask.
  const internet = `const { fetch } = globalThis;
    globalThis.fetch = (asked, { dispatcher, ...options } = {}) =>
      String(asked) === "${DOCUMENT}" ? fetch("http://127.0.0.1:${(documents.address() as AddressInfo).port}", options) : fetch(asked, options);`;
  const env = { ISSUER: issuer, RESOURCE: url, PORT: new URL(issuer).port, PASSWORD, ...importing(internet) };
  await start(node, [join(folder, "authorization-server.mjs")], env).printed(/authorization server for/);
}, INSTALL_TIMEOUT);

afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  documents?.close();
  await sandbox?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs the example's host, signs in wherever it asks to, and returns what it prints. */
async function runHost(name: string, args: readonly string[], more: Record<string, string> = {}) {
  const host = start(node, [join(folder, "client.mjs"), url, ...args], more);
  const asked: URL[] = [];
  const ended = once(host.child, "close");
  for (;;) {
    const pattern = new RegExp(`(?:open \\S+[\\s\\S]*?){${asked.length}}open (http:\\S+)\\n`);
    const next = await host.printed(pattern).catch(() => undefined);
    if (next === undefined) break;
    asked.push(new URL(next));
    const redirectUri = asked.at(-1)?.searchParams.get("redirect_uri") ?? "";
    // A host that is refused again prints a last page and ends, so nobody waits for the reply.
    await fetch(await signIn(next, { name, password: PASSWORD, redirectUri })).catch(() => {});
  }
  await ended;
  return { output: host.output(), asked };
}

/** Gets an access token as any client could, and calls a server with it. */
async function accessToken(name: string, scope: string, resource = url): Promise<string> {
  const registration = { redirect_uris: [REDIRECT], application_type: "native", token_endpoint_auth_method: "none" };
  const post = (path: string, body: string | URLSearchParams, type: string) =>
    fetch(`${issuer}${path}`, { method: "POST", headers: { "content-type": type }, body });
  const { client_id } = (await (await post("/reg", JSON.stringify(registration), "application/json")).json()) as { client_id: string };
  const code_verifier = randomBytes(32).toString("base64url");
  const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
  const common = { client_id, redirect_uri: REDIRECT, resource };
  const page = new URLSearchParams({ ...common, response_type: "code", code_challenge, code_challenge_method: "S256", scope });
  const { searchParams } = await signIn(`${issuer}/auth?${page}`, { name, password: PASSWORD, redirectUri: REDIRECT });
  const code = searchParams.get("code");
  if (code === null) throw new Error(searchParams.get("error") ?? "no code");
  const form = new URLSearchParams({ ...common, grant_type: "authorization_code", code, code_verifier });
  const { access_token } = (await (await post("/token", form.toString(), "application/x-www-form-urlencoded")).json()) as {
    access_token: string;
  };
  return access_token;
}

async function call(token: string, at = url, name = "locate_vehicle") {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: { query: "truck 12" } } });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json, text/event-stream" };
  const response = await fetch(at, { method: "POST", headers, body });
  return { status: response.status, challenge: response.headers.get("www-authenticate") ?? "", text: await response.text() };
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

  it("refuses an expired token, one for another server, and one without the scope", async () => {
    const [read, none] = [await accessToken("mia", "fleet:read"), await accessToken("mia", "fleet:write")];
    const [other, later] = await Promise.all([startServer(), startServer({ FLEET_OAUTH_AUDIENCE: url, ...importing(AN_HOUR_AHEAD) })]);
    expect(await call(read)).toMatchObject({ status: 200, text: expect.stringContaining("Truck 12") });
    expect(await call(read, other.url)).toMatchObject({ status: 401, challenge: expect.stringMatching(/invalid_token.*audience/) });
    expect(await call(read, later.url)).toMatchObject({ status: 401, challenge: expect.stringMatching(/invalid_token.*expired/) });
    expect(await call(none)).toMatchObject({ status: 403, challenge: expect.stringMatching(/insufficient_scope.*fleet:read/) });
    expect(await call(read, url, "create_job")).toMatchObject({ status: 403, challenge: expect.stringContaining("fleet:write") });
    await expect(accessToken("mia", "fleet:read", other.url)).rejects.toThrow("invalid_target");
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

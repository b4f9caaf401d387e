import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProgram } from "@fleetwire/packaging";
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { SERVER, startProgram } from "@fleetwire/packaging/started-program";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { freePort } from "../../vitest/free-port.ts";
import { EXAMPLE, exampleFile } from "./nginx.ts";
import { choosing, NO_TOKENS, OAUTH, starts, type Variables, variablesOf, without } from "./starts.ts";

const SETTINGS = exampleFile("single/fleet.env.example");
const examples = { ...variablesOf(SETTINGS), FLEET_CUSTOMER_ID: "c42" };
/** What systemd adds to both units. */
const COMMON = "fleetwire-.service.d/common.conf";

/** The settings with which the server starts, whether they come from systemd or from Compose. */
async function startsInEachWay(own: Variables): Promise<void> {
  await starts({ ...examples, ...own }, { FLEET_TOKENS_FILE: NO_TOKENS });
  const oauth = variablesOf(choosing(SETTINGS, ...OAUTH));
  await starts({ ...without(oauth, "FLEET_TOKENS_FILE"), FLEET_CUSTOMER_ID: "c42", ...own }, {});
  const customers = variablesOf(choosing(SETTINGS, "FLEET_TENANTS_FILE", "NORTH_CLIENT_ID", "NORTH_CLIENT_SECRET"));
  await starts(
    { ...without(customers, "FLEET_CUSTOMER_ID", "FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET"), ...own },
    { FLEET_TENANTS_FILE: exampleFile("config/tenants.json"), FLEET_TOKENS_FILE: NO_TOKENS },
  );
}

const [systemd, caddy] = [await debianProgram("systemd"), await debianProgram("caddy")];

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-single-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A unit as it would be installed, with a program where it expects the server. */
function installed(name: string, common = exampleFile(`single/${COMMON}`)): string {
  const folder = temporaryFolder();
  for (const inside of ["node_modules/.bin", dirname(COMMON)]) mkdirSync(join(folder, inside), { recursive: true });
  writeFileSync(join(folder, "node_modules/.bin/fleetwire-mcp"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(folder, COMMON), common);
  writeFileSync(join(folder, name), exampleFile(`single/${name}`).replace("/opt/fleetwire/current", folder));
  return join(folder, name);
}

function analyzed(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(systemd as string, args, { encoding: "utf8", timeout: 30_000 });
  return { status, printed: stdout + stderr };
}

describe.each(["fleetwire-mcp.service", "fleetwire-watch.service"])("examples/deployment/single/%s", (name) => {
  const common = exampleFile(`single/${COMMON}`);

  it.skipIf(systemd === undefined)("has nothing that systemd-analyze complains about, but a mistake would have", () => {
    expect(analyzed("verify", installed(name))).toEqual({ status: 0, printed: "" });
    expect(analyzed("verify", installed(name, common.replace("ProtectHome=", "ProtectHomes="))).printed).toMatch(
      /Unknown key .*ProtectHomes/,
    );
  });

  it.skipIf(systemd === undefined)("is exposed less than 2 of 10, as systemd-analyze reckons", () => {
    const security = (unit: string) => analyzed("security", "--offline=true", "--threshold=20", "--no-pager", unit).status;
    expect(security(installed(name))).toBe(0);
    expect(security(installed(name, common.replaceAll(/^Protect.*$/gm, "")))).toBe(1);
  });
});

it("fleetwire-mcp.service has settings with which the server starts, with tokens, with OAuth and for several customers", () =>
  startsInEachWay(variablesOf((/^Environment=(.*)$/m.exec(exampleFile("single/fleetwire-mcp.service"))?.[1] ?? "").replaceAll(" ", "\n"))));

it("examples/deployment/single/fleet.env.example has every variable in docs/credentials.md", () => {
  const block =
    /<!-- block -->[\s\S]*<!-- \/block -->/.exec(readFileSync(new URL("../../../docs/credentials.md", import.meta.url), "utf8"))?.[0] ?? "";
  const needed = Object.keys(variablesOf(block));
  expect(needed.length).toBeGreaterThan(8);
  expect(Object.keys(examples)).toEqual(expect.arrayContaining(needed));
});

describe("examples/deployment/single/compose.yaml", () => {
  const { services } = parse(exampleFile("single/compose.yaml"), { merge: true }) as {
    services: Record<string, { environment: Variables; entrypoint: string[] }>;
  };

  it("follows the schema of the Compose specification", async () => {
    const problems = await runProgram("npx", ["dclint", "--quiet", "--formatter", "json", join(EXAMPLE, "single/compose.yaml")], ".");
    expect(JSON.parse(problems)).toEqual([]);
  });

  it("has settings with which the server starts", () =>
    starts({ ...examples, ...services["fleetwire"]?.environment }, { FLEET_TOKENS_FILE: NO_TOKENS }));

  it("gives Caddy everything that its file needs", () => {
    const needed = [...exampleFile("single/Caddyfile").matchAll(/\{\$(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(services["caddy"]?.environment ?? {}).sort()).toEqual(needed.sort());
  });
});

describe("the watch", () => {
  const unit = /^ExecStart=(.*)$/m.exec(exampleFile("single/fleetwire-watch.service"))?.[1] ?? "";
  const { services } = parse(exampleFile("single/compose.yaml"), { merge: true }) as {
    services: Record<string, { entrypoint?: string[] }>;
  };
  const [shell, option, script = ""] = services["watch"]?.entrypoint ?? [];

  it.each([
    ["fleetwire-watch.service", unit.replace(/^\S+/, "exec fleetwire-mcp")],
    ["compose.yaml", script.replaceAll("$$", "$").replace("/var/lib/fleetwire", "$STATE_DIRECTORY")],
  ])("starts as %s says, and keeps its state", async (_, command) => {
    expect([shell, option]).toEqual(["sh", "-c"]);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "fleetwire-mcp"), `#!/bin/sh\nexec "${process.execPath}" "${SERVER}" "$@" --sandbox\n`, { mode: 0o755 });
    writeFileSync(join(folder, "rules.json"), JSON.stringify({ rules: [{ id: "drives", when: "starts" }] }));
    const env: Variables = { ...examples, ...variablesOf(exampleFile("single/watch.env.example")), STATE_DIRECTORY: folder };
    const watch = await startProgram("/bin/sh", {
      args: ["-c", command.replace("/etc/fleetwire", folder)],
      env: { ...env, FLEET_WEBHOOK_SECRET: `whsec_${env["FLEET_SEAL_KEY"]}`, PATH: `${folder}:${process.env["PATH"]}` },
      pattern: /made.up/,
    });
    onTestFinished(() => watch.end());
    await expect.poll(() => existsSync(join(folder, "watch.db")), { timeout: 20_000 }).toBe(true);
  });
});

describe.skipIf(caddy === undefined)("examples/deployment/single/Caddyfile", () => {
  it("forwards what hosts and the console need, and nothing else", async () => {
    const folder = temporaryFolder();
    const tokens = join(folder, "tokens.json");
    const token = (await runProgram(process.execPath, [SERVER, "token", "--name", "dispatch", "--tokens-file", tokens], ".")).trim();
    const site = `http://127.0.0.1:${await freePort()}`;
    const access = { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: tokens, FLEET_PUBLIC_URL: `${site}/mcp` };
    const server = await startProgram(process.execPath, {
      args: [SERVER, "http", "--sandbox", "--port", "0"],
      env: { ...access, FLEET_TRUSTED_PROXIES: "127.0.0.1", FLEET_LOG: "info" },
      pattern: /ready at ([^\s"]+)["\n]/,
    });
    onTestFinished(() => server.end());
    const env = { SITE: site, UPSTREAM: new URL(server.ready).host, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const adapted = spawnSync(caddy as string, ["adapt", "--config", join(EXAMPLE, "single/Caddyfile")], {
      env,
      encoding: "utf8",
      timeout: 20_000,
    });
    writeFileSync(join(folder, "caddy.json"), JSON.stringify({ ...JSON.parse(adapted.stdout), admin: { disabled: true } }));
    const proxy = await startProgram(caddy as string, {
      args: ["run", "--config", join(folder, "caddy.json")],
      env,
      pattern: /serving (initial) configuration/,
    });
    onTestFinished(() => proxy.end());

    const lines: string[] = [];
    server.onLine((line) => lines.push(line));
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", authorization: `Bearer ${token}` };
    const call = (body: string) =>
      fetch(`${site}/mcp`, { method: "POST", headers: { ...headers, "x-forwarded-for": "203.0.113.9" }, body });
    const params = { name: "locate_vehicle", arguments: { query: "truck 12" } };
    const answered = await call(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    expect({ status: answered.status, text: await answered.text() }).toEqual({ status: 200, text: expect.stringContaining("Truck 12") });
    // The caller's own X-Forwarded-For does not count.
    await expect.poll(() => lines.find((line) => line.includes('"request"'))).toContain('"address":"127.0.0.1"');
    const statusOf = async (path: string) => (await fetch(`${site}${path}`)).status;
    expect(await Promise.all(["/healthz", "/mcp/server-card", "/console", "/console/sign-in"].map(statusOf))).toEqual([200, 200, 200, 200]);
    expect(await Promise.all(["/metrics", "/readyz", "/mcp/other", "/consoles", "/"].map(statusOf))).toEqual([404, 404, 404, 404, 404]);
    expect((await call("x".repeat(2_000_000))).status).toBe(413);
  });
});

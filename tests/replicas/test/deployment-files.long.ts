// The files in examples/deployment are valid, and the server starts with their settings.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProgram } from "@fleetwire/packaging";
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { SERVER, startProgram, startServer } from "@fleetwire/packaging/started-program";
import { Deployment } from "kubernetes-models/apps/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { freePort } from "../../vitest/free-port.ts";
import { temporaryFolder } from "../../vitest/temporary-folder.ts";
import { EXAMPLE, exampleFile } from "./nginx.ts";

type Variables = Readonly<Record<string, string>>;

interface Compose {
  services: Record<string, { environment?: Variables; entrypoint?: string[] }>;
}

interface Manifest {
  kind: keyof typeof MODELS;
  metadata: { name: string };
  data?: Variables;
}

const MODELS = { ConfigMap, Deployment, PodDisruptionBudget, Service };
const [systemd, caddy, promtool] = [await debianProgram("systemd"), await debianProgram("caddy"), await debianProgram("prometheus")];

/** The variables of a file of `NAME=value` lines. Variables without a value get a made-up one. */
const variablesOf = (text: string): Variables =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value]) => [name, value || btoa("canary-".padEnd(32, name))]));

/** The text with one of its alternatives, which are comments, chosen: lines such as `#NAME=value` or `# NAME: value` that name one of these variables. */
const choosing = (text: string, ...names: string[]): string =>
  names.reduce((chosen, name) => chosen.replace(new RegExp(`^( *)# ?(?=${name}\\b[:=])`, "m"), "$1"), text);

const without = (variables: Variables, ...names: string[]): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));

/** What a reader of an example changes for ChatGPT and Claude.ai. */
const OAUTH = ["FLEET_CALLER_AUTH", "FLEET_OAUTH_ISSUER"];
const NO_TOKENS = { FLEET_TOKENS_FILE: JSON.stringify({ tokens: [] }) };
const TENANTS = { FLEET_TENANTS_FILE: exampleFile("config/tenants.json") };

/** Starts the server with a deployment's variables, but with its files in a local folder. Its Redis does not exist here, which must not matter. */
async function starts(env: Variables, files: Variables): Promise<void> {
  const folder = temporaryFolder();
  const placed = Object.entries(files).map(([variable, text]) => {
    writeFileSync(join(folder, variable), text, { mode: 0o600 });
    return [variable, join(folder, variable)];
  });
  const server = await startServer({ ...env, ...Object.fromEntries(placed) });
  onTestFinished(() => server.end());
  expect((await fetch(new URL("/healthz", server.ready))).status).toBe(200);
}

describe("for replicas", () => {
  const SETTINGS = exampleFile("fleet.env.example");
  const examples = variablesOf(SETTINGS);

  it("compose.yaml gives nginx what its template needs, and the replicas the same settings, with which the server starts", async () => {
    const { services } = parse(exampleFile("compose.yaml"), { merge: true }) as Compose;
    const needed = [...exampleFile("nginx.conf.template").matchAll(/\$\{([A-Z_0-9]+)\}/g)].map(([, name]) => name);
    expect(Object.keys(services["nginx"]?.environment ?? {})).toEqual(expect.arrayContaining(needed));
    const [first = {}, ...others] = [1, 2, 3].map((at) => ({ ...services[`replica-${at}`]?.environment }));
    expect(others).toEqual([first, first]);
    await starts({ ...examples, ...first }, { ...TENANTS, ...NO_TOKENS });
    await starts({ ...without(variablesOf(choosing(SETTINGS, ...OAUTH)), "FLEET_TOKENS_FILE"), ...first }, TENANTS);
  });

  it("kubernetes.yaml follows the schemas of Kubernetes, and has settings and tenants with which the server starts", async () => {
    const text = exampleFile("kubernetes.yaml");
    const manifestsIn = (yaml: string) => parseAllDocuments(yaml).map((document) => document.toJS() as Manifest);
    for (const manifest of manifestsIn(text)) new MODELS[manifest.kind](manifest as never).validate();
    const dataOf = (name: string, yaml = text) =>
      manifestsIn(yaml).find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === name)?.data ?? {};
    const { "tenants.json": tenants = "" } = dataOf("fleetwire-tenants");
    expect(JSON.parse(tenants)).toEqual(JSON.parse(TENANTS.FLEET_TENANTS_FILE));
    const secrets = without(examples, "FLEET_CALLER_AUTH", "FLEET_TOKENS_FILE");
    await starts({ ...secrets, ...dataOf("fleetwire-mcp") }, { FLEET_TENANTS_FILE: tenants, ...NO_TOKENS });
    const replaced = text.replace(/^ +FLEET_(CALLER_AUTH: token|TOKENS_FILE: .*)\n/gm, "");
    await starts({ ...secrets, ...dataOf("fleetwire-mcp", choosing(replaced, ...OAUTH)) }, { FLEET_TENANTS_FILE: tenants });
  });

  it("the Dockerfile has no lint, is not root and has a health check", async () => {
    const lint = ["-y", "-p", "dockerfile-utils@0.16.3", "dockerfile-utils", "lint", join(EXAMPLE, "Dockerfile")];
    expect(await runProgram("npx", lint, ".")).toBe("");
    expect(exampleFile("Dockerfile")).toMatch(/^USER node$[\s\S]*^HEALTHCHECK .*\/healthz/m);
  });
});

it.each(["compose.yaml", "single/compose.yaml"])("%s follows the schema of the Compose specification", async (file) => {
  expect(JSON.parse(await runProgram("npx", ["dclint", "--quiet", "--formatter", "json", join(EXAMPLE, file)], "."))).toEqual([]);
});

describe("for a single server", () => {
  const SETTINGS = exampleFile("single/fleet.env.example");
  const examples = { ...variablesOf(SETTINGS), FLEET_CUSTOMER_ID: "c42" };
  const { services } = parse(exampleFile("single/compose.yaml"), { merge: true }) as Compose;
  const unitOf = (name: string) => exampleFile(`single/${name}`);

  it("the settings start the server, with tokens, with OAuth and for several customers, and are those in docs/credentials.md", async () => {
    const own = variablesOf((/^Environment=(.*)$/m.exec(unitOf("fleetwire-mcp.service"))?.[1] ?? "").replaceAll(" ", "\n"));
    await starts({ ...examples, ...own }, NO_TOKENS);
    await starts({ ...examples, ...services["fleetwire"]?.environment }, NO_TOKENS);
    const oauth = variablesOf(choosing(SETTINGS, ...OAUTH));
    await starts({ ...without(oauth, "FLEET_TOKENS_FILE"), FLEET_CUSTOMER_ID: "c42", ...own }, {});
    const customers = variablesOf(choosing(SETTINGS, "FLEET_TENANTS_FILE", "NORTH_CLIENT_ID", "NORTH_CLIENT_SECRET"));
    const ofOne = ["FLEET_CUSTOMER_ID", "FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET"];
    await starts({ ...without(customers, ...ofOne), ...own }, { ...TENANTS, ...NO_TOKENS });

    const page = readFileSync(new URL("../../../docs/credentials.md", import.meta.url), "utf8");
    const needed = Object.keys(variablesOf(/<!-- block -->[\s\S]*<!-- \/block -->/.exec(page)?.[0] ?? ""));
    expect(needed.length).toBeGreaterThan(8);
    expect(Object.keys(examples)).toEqual(expect.arrayContaining(needed));
  });

  it.skipIf(systemd === undefined).each(["fleetwire-mcp.service", "fleetwire-watch.service"])(
    "systemd-analyze finds nothing wrong with %s, and its exposure less than 2 of 10",
    (name) => {
      const COMMON = "fleetwire-.service.d/common.conf";
      const analyzed = (args: string[], common: string) => {
        const folder = temporaryFolder();
        for (const inside of ["node_modules/.bin", dirname(COMMON)]) mkdirSync(join(folder, inside), { recursive: true });
        writeFileSync(join(folder, "node_modules/.bin/fleetwire-mcp"), "#!/bin/sh\n", { mode: 0o755 });
        writeFileSync(join(folder, COMMON), common);
        writeFileSync(join(folder, name), unitOf(name).replace("/opt/fleetwire/current", folder));
        const { status, stdout, stderr } = spawnSync(systemd as string, [...args, join(folder, name)], {
          encoding: "utf8",
          timeout: 30_000,
        });
        return { status, printed: stdout + stderr };
      };
      const common = unitOf(COMMON);
      expect(analyzed(["verify"], common)).toEqual({ status: 0, printed: "" });
      expect(analyzed(["verify"], common.replace("ProtectHome=", "ProtectHomes=")).printed).toMatch(/Unknown key .*ProtectHomes/);
      const security = ["security", "--offline=true", "--threshold=20", "--no-pager"];
      expect(analyzed(security, common).status).toBe(0);
      expect(analyzed(security, common.replaceAll(/^Protect.*$/gm, "")).status).toBe(1);
    },
  );

  const [shell, option, script = ""] = services["watch"]?.entrypoint ?? [];
  const command = /^ExecStart=(.*)$/m.exec(unitOf("fleetwire-watch.service"))?.[1] ?? "";
  it.each([
    ["fleetwire-watch.service", command.replace(/^\S+/, "exec fleetwire-mcp")],
    ["compose.yaml", script.replaceAll("$$", "$").replace("/var/lib/fleetwire", "$STATE_DIRECTORY")],
  ])("the watch starts as %s says, and keeps its state", async (_, line) => {
    expect([shell, option]).toEqual(["sh", "-c"]);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "fleetwire-mcp"), `#!/bin/sh\nexec "${process.execPath}" "${SERVER}" "$@" --sandbox\n`, { mode: 0o755 });
    writeFileSync(join(folder, "rules.json"), JSON.stringify({ rules: [{ id: "drives", when: "starts" }] }));
    const env: Variables = { ...examples, ...variablesOf(exampleFile("single/watch.env.example")), STATE_DIRECTORY: folder };
    const watch = await startProgram("/bin/sh", {
      args: ["-c", line.replace("/etc/fleetwire", folder)],
      env: { ...env, FLEET_WEBHOOK_SECRET: `whsec_${env["FLEET_SEAL_KEY"]}`, PATH: `${folder}:${process.env["PATH"]}` },
      pattern: /made.up/,
    });
    onTestFinished(() => watch.end());
    await expect.poll(() => existsSync(join(folder, "watch.db")), { timeout: 20_000 }).toBe(true);
  });

  it.skipIf(caddy === undefined)(
    "Caddy gets what its file needs, and forwards what hosts and the console need, and nothing else",
    async () => {
      const needed = [...exampleFile("single/Caddyfile").matchAll(/\{\$(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(services["caddy"]?.environment ?? {}).sort()).toEqual(needed.sort());
      const folder = temporaryFolder();
      const tokens = join(folder, "tokens.json");
      const token = (await runProgram(process.execPath, [SERVER, "token", "--name", "dispatch", "--tokens-file", tokens], ".")).trim();
      const site = `http://127.0.0.1:${await freePort()}`;
      const access = { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: tokens, FLEET_PUBLIC_URL: `${site}/mcp` };
      const server = await startServer({ ...access, FLEET_TRUSTED_PROXIES: "127.0.0.1", FLEET_LOG: "info" }, "--sandbox");
      onTestFinished(() => server.end());
      const env = { SITE: site, UPSTREAM: new URL(server.ready).host, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      const adapted = await runProgram(caddy as string, ["adapt", "--config", join(EXAMPLE, "single/Caddyfile")], ".", 20, env);
      writeFileSync(join(folder, "caddy.json"), JSON.stringify({ ...JSON.parse(adapted), admin: { disabled: true } }));
      const args = ["run", "--config", join(folder, "caddy.json")];
      const proxy = await startProgram(caddy as string, { args, env, pattern: /serving (initial) configuration/ });
      onTestFinished(() => proxy.end());

      const lines: string[] = [];
      server.onLine((line) => lines.push(line));
      const call = (body: string) => post(`${site}/mcp`, body, { authorization: `Bearer ${token}`, "x-forwarded-for": "203.0.113.9" });
      const answered = await call(LOCATE);
      expect({ status: answered.status, text: await answered.text() }).toEqual({ status: 200, text: expect.stringContaining("Truck 12") });
      // The caller's own X-Forwarded-For does not count.
      await expect.poll(() => lines.find((line) => line.includes('"request"'))).toContain('"address":"127.0.0.1"');
      const statusOf = async (path: string) => (await fetch(`${site}${path}`)).status;
      expect(await Promise.all(["/healthz", "/console", "/console/sign-in"].map(statusOf))).toEqual([200, 200, 200]);
      expect(await Promise.all(["/metrics", "/readyz", "/mcp/server-card", "/consoles", "/"].map(statusOf))).toEqual([
        404, 404, 404, 404, 404,
      ]);
      expect((await call("x".repeat(2_000_000))).status).toBe(413);
    },
  );
});

const params = { name: "locate_vehicle", arguments: { query: "truck 12" } };
const LOCATE = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
const post = (url: string, body: string, more: Variables = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...more },
    body,
  });

describe("for monitoring", () => {
  const { groups } = parse(exampleFile("monitoring/alerts.yml")) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const alerts = groups.flatMap(({ rules }) => rules);
  const dashboard = JSON.parse(exampleFile("monitoring/dashboard.json")) as { panels: { targets: { expr: string }[] }[] };
  const panels = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

  it.skipIf(promtool === undefined)(
    "promtool accepts the configuration, each query of the dashboard, and that each alert fires when it should",
    async () => {
      const check = (...args: string[]) => runProgram(promtool as string, args, import.meta.dirname);
      expect(await check("check", "config", join(EXAMPLE, "monitoring/prometheus.yml"))).toContain(`${alerts.length} rules found`);
      const rules = panels.map((expr, at) => ({ record: `panel:${at}`, expr: expr.replaceAll("$__rate_interval", "1m") }));
      const file = join(temporaryFolder(), "panels.yml");
      writeFileSync(file, JSON.stringify({ groups: [{ name: "panels", rules }] }));
      expect(await check("check", "rules", file)).toContain(`${panels.length} rules found`);
      expect(await check("test", "rules", "alerts.yml")).toContain("SUCCESS");
      // `alerts.yml` lets each of them fire.
      const tests = readFileSync(join(import.meta.dirname, "alerts.yml"), "utf8");
      expect(alerts.filter(({ alert }) => !new RegExp(`alertname(="|: )${alert}\\b`).test(tests))).toEqual([]);
    },
  );

  it("what a real server serves at /metrics has the metrics and labels of every query, and is what docs/operating.md lists", async () => {
    // A Redis that does not exist, so that its metric is served.
    const env = { FLEET_REDIS_URL: "redis://127.0.0.1:1", FLEET_SEAL_KEY: btoa("canary-".padEnd(32, "x")) };
    const server = await startServer(env, "--sandbox");
    onTestFinished(() => server.end());
    await (await post(server.ready, LOCATE)).text();
    await (await fetch(server.ready)).text();
    const text = await vi.waitUntil(async () => {
      const found = await (await fetch(new URL("/metrics", server.ready))).text();
      return found.includes('fleetwire_http_refused_total{status="405"} 1') && found;
    }, 10_000);
    const served = new Map<string, Set<string>>();
    // Prometheus sets two labels itself.
    for (const [, name = "", type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
      for (const suffix of type === "histogram" ? ["_bucket", "_count", "_sum"] : [""])
        served.set(`${name}${suffix}`, new Set(["job", "instance"]));
    for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)\{(.*?)\} /gm))
      for (const [, label = ""] of labels.matchAll(/(\w+)=/g)) served.get(name)?.add(label);

    for (const expr of [...alerts.map((one) => one.expr), ...panels]) {
      const used = [...expr.matchAll(/\b(fleetwire_\w+|process_\w+)(?:\{(.*?)\})?/g)];
      expect(used.length + Number(expr.startsWith("up{")), expr).toBeGreaterThan(0);
      for (const [, name = "", selector = ""] of used)
        for (const [, label = ""] of `job="" ${selector}`.matchAll(/(\w+)(?==|!)/g))
          expect([...(served.get(name) ?? [])], expr).toContain(label);
    }
    expect(text).toMatch(/^fleetwire_fleet_up 1$/m);
    expect(text).toMatch(/^fleetwire_view_age_seconds \d/m);
    expect(text).toMatch(/^fleetwire_fleet_request_seconds_count\{operation="listLivePositions",status="2xx"\} \d+$/m);
    const operating = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8");
    const listed = [...operating.matchAll(/^\| `(fleetwire_\w+)/gm)].map(([, name]) => name).sort();
    expect(listed).toEqual([...text.matchAll(/^# TYPE (fleetwire_\w+) /gm)].map(([, name]) => name).sort());
    for (const { alert } of alerts) expect(operating).toContain(`| \`${alert}\``);
  });
});

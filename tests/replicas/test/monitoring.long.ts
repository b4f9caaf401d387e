import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@fleetwire/packaging";
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { SERVER, startProgram } from "@fleetwire/packaging/started-program";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { parse } from "yaml";
import { EXAMPLE, exampleFile } from "./nginx.ts";

interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
  templating: { list: { query: string }[] };
}

interface AlertTests {
  tests: { promql_expr_test?: { exp_samples: { labels: string }[] }[]; alert_rule_test?: { alertname: string; exp_alerts: object[] }[] }[];
}

const promtool = await debianProgram("prometheus");
const check = (...args: string[]) => runProgram(promtool as string, args, import.meta.dirname);

const alerts = (parse(exampleFile("monitoring/alerts.yml")) as Rules).groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(exampleFile("monitoring/dashboard.json")) as Dashboard;
const panels = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

function temporaryFolder(): string {
  const folder = mkdtempSync(join(import.meta.dirname, ".monitoring-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.skipIf(promtool === undefined)("promtool accepts", () => {
  it("examples/deployment/monitoring/prometheus.yml and the rules that it names", async () => {
    expect(await check("check", "config", join(EXAMPLE, "monitoring/prometheus.yml"))).toContain(`${alerts.length} rules found`);
  });

  it("every alert: it fires when it should, and not otherwise", async () => {
    expect(await check("test", "rules", "alerts.yml")).toContain("SUCCESS");
    const { tests } = parse(readFileSync(join(import.meta.dirname, "alerts.yml"), "utf8")) as AlertTests;
    const fired = tests.flatMap(({ promql_expr_test: queries = [], alert_rule_test: rules = [] }) => [
      ...queries.flatMap(({ exp_samples }) => exp_samples.flatMap(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1] ?? [])),
      ...rules.flatMap(({ alertname, exp_alerts }) => (exp_alerts.length > 0 ? alertname : [])),
    ]);
    expect([...new Set(fired)].sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  it("every query of the dashboard", async () => {
    const folder = temporaryFolder();
    const rules = panels.map(({ expr }, at) => ({ record: `panel:${at}`, expr: expr.replaceAll("$__rate_interval", "1m") }));
    writeFileSync(join(folder, "panels.yml"), JSON.stringify({ groups: [{ name: "panels", rules }] }));
    expect(await check("check", "rules", join(folder, "panels.yml"))).toContain(`${panels.length} rules found`);
  });
});

it("examples/deployment/monitoring/dashboard.json has the shape that Grafana's own types describe", async () => {
  const folder = temporaryFolder();
  const source = `
    import type { Dashboard, Panel } from "@grafana/grafana-foundation-sdk/dashboard";
    import type { Dataquery } from "@grafana/grafana-foundation-sdk/prometheus";
    /** A type's JSON: enums are their values. */
    type Json<T> = 0 extends 1 & T ? T : T extends string ? \`\${T}\` : T extends object ? { [Key in keyof T]: Json<T[Key]> } : T;
    type Target = Json<Omit<Dataquery, "_implementsDataqueryVariant">>;
    type Shape = Omit<Json<Dashboard>, "panels"> & { panels: (Omit<Json<Panel>, "targets"> & { targets: Target[] })[] };
    export const dashboard: Shape = ${JSON.stringify(dashboard)};
  `;
  writeFileSync(join(folder, "dashboard.ts"), source);
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck", "--types", ""];
  const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
  expect(await runProgram(process.execPath, [tsc, ...options, join(folder, "dashboard.ts")], dirname(folder))).toBe("");
});

describe("what a real server serves at /metrics", () => {
  /** The labels of each metric. */
  const served = new Map<string, Set<string>>();
  let text = "";

  beforeAll(async () => {
    // A Redis that does not exist, so that its metric is served.
    const env = { FLEET_REDIS_URL: "redis://127.0.0.1:1", FLEET_SEAL_KEY: btoa("canary-".padEnd(32, "x")) };
    const server = await startProgram(process.execPath, {
      args: [SERVER, "http", "--sandbox", "--port", "0"],
      env,
      pattern: /ready at ([^\s"]+)["\n]/,
    });
    try {
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const params = { name: "locate_vehicle", arguments: { query: "truck 12" } };
      await (
        await fetch(server.ready, {
          method: "POST",
          headers,
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
        })
      ).text();
      await (await fetch(server.ready)).text();
      const scraped = async () => (await fetch(new URL("/metrics", server.ready))).text();
      const isCounted = async () => {
        text = await scraped();
        return text.includes('fleetwire_http_refused_total{status="405"} 1');
      };
      await vi.waitUntil(isCounted, { timeout: 10_000 });
    } finally {
      await server.end();
    }
    for (const [, name = "", type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
      for (const suffix of type === "histogram" ? ["_bucket", "_count", "_sum"] : [""]) served.set(`${name}${suffix}`, new Set());
    for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)\{(.*?)\} /gm))
      for (const [, label = ""] of labels.matchAll(/(\w+)=/g)) served.get(name)?.add(label);
  }, 90_000);

  const queries = [...alerts.map(({ alert, expr }) => ({ title: alert, expr })), ...panels];
  /** Set by Prometheus rather than by the server. */
  const OWN_LABELS = ["job", "instance"];

  it.each(queries)("has the metrics and labels that $title uses: $expr", ({ expr }) => {
    const used = [...expr.matchAll(/\b(fleetwire_\w+|process_\w+)(?:\{(.*?)\})?/g)];
    expect(used.length + Number(expr.startsWith("up{"))).toBeGreaterThan(0);
    for (const [, name = "", selector = ""] of used) {
      expect([...served.keys()]).toContain(name);
      for (const [, label = ""] of selector.matchAll(/(\w+)(?==|!)/g))
        expect([...(served.get(name) ?? []), ...OWN_LABELS]).toContain(label);
    }
  });

  it("has an age of the view, a reachable service and requests by operation, after one call", () => {
    expect(text).toMatch(/^fleetwire_fleet_up 1$/m);
    expect(text).toMatch(/^fleetwire_view_age_seconds \d/m);
    expect(text).toMatch(/^fleetwire_fleet_request_seconds_count\{operation="listLivePositions",status="2xx"\} \d+$/m);
  });

  it("is what docs/operating.md lists", () => {
    const operating = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8");
    const listed = [...operating.matchAll(/^\| `(fleetwire_\w+)/gm)].map(([, name]) => name).sort();
    expect(listed).toEqual([...text.matchAll(/^# TYPE (fleetwire_\w+) /gm)].map(([, name]) => name).sort());
    for (const { alert } of alerts) expect(operating).toContain(`| \`${alert}\``);
  });
});

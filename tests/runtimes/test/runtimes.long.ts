import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { runProgram } from "@fleetwire/packaging";
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { createSandbox } from "@fleetwire/sandbox";
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { freePort } from "../../vitest/free-port.ts";
import { bundled, servedByWorkerd } from "./workerd.ts";

/** The clock of the sandbox and of the tools, since the vehicles move with it. */
const NOW = Date.UTC(2026, 10, 20, 9);

interface Outcome {
  total: number;
  failed: string[];
  /** Result texts by tool. */
  texts: Record<string, string>;
}

type Env = Readonly<Record<string, string>>;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const CASES = here("runtimes/cases.mjs");

/** Runs in a process of a runtime. */
const inProcess =
  (program: string, ...args: readonly string[]) =>
  async (env: Env): Promise<Outcome> =>
    JSON.parse(await runProgram(program, [...args, here("runtimes/in-process.mjs"), JSON.stringify(env)], tmpdir(), 180));

const fromNpm = (...args: readonly string[]) => inProcess("npx", "-y", "-p", ...args);

/** In this Node if it has the version, else in one installed from npm. */
const inNode = (version: string) =>
  process.versions.node.startsWith(`${version}.`) ? inProcess(process.execPath) : fromNpm(`node@${version}`, "node");

async function inWorkerd(env: Env): Promise<Outcome> {
  const worker = `import { runCases } from ${JSON.stringify(CASES)};
    export default { fetch: async (request) => Response.json(await runCases(await request.json())) };`;
  const conditions = ["workerd", "worker", "browser"];
  const origin = await servedByWorkerd(await bundled(worker, { conditions, format: "esm" }));
  const answer = await fetch(origin, { method: "POST", body: JSON.stringify(env), signal: AbortSignal.timeout(120_000) });
  return (await answer.json()) as Outcome;
}

/** Where pages are that call the service from another origin: at the same address, by its name. */
const pagesOf = (origin: string) => origin.replace("127.0.0.1", "localhost");

/** In a page on another origin than the service's, so that every call needs CORS. */
const inChromium =
  (executablePath: string) =>
  async (env: Env): Promise<Outcome> => {
    const script = await bundled(`export * from ${JSON.stringify(CASES)};`, {
      conditions: ["browser"],
      format: "iife",
      globalName: "cases",
    });
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: 60_000 });
    try {
      const page = await browser.newPage({ bypassCSP: true });
      await page.goto(pagesOf(env["FLEET_BASE_URL"] ?? ""));
      await page.addScriptTag({ content: script });
      return (await page.evaluate(`cases.runCases(${JSON.stringify(env)})`)) as Outcome;
    } finally {
      await browser.close();
    }
  };

describe("the built client and tools pass the same cases, with identical texts from tools, in", () => {
  let first: Outcome | undefined;

  async function passes(run: (env: Env) => Promise<Outcome>): Promise<void> {
    const sandbox = createSandbox({ clock: () => NOW });
    const port = await freePort();
    const { env } = await sandbox.listen({ port, cors: pagesOf(`http://127.0.0.1:${port}`) });
    const outcome = await run(env).finally(() => sandbox.close());
    expect(outcome.failed).toEqual([]);
    first ??= outcome;
    expect(outcome).toEqual(first);
    expect(Object.keys(outcome.texts).length).toBeGreaterThan(10);
  }

  it.each(["20", "24"])("Node %s", (version) => passes(inNode(version)));
  it("Bun", () => passes(fromNpm("bun@1.4.5", "bun", "run")));
  it("Deno", () => passes(fromNpm("deno@2.9.6", "deno", "run", "--allow-net", "--allow-read", "--allow-env")));
  it("workerd, without its Node compatibility", () => passes(inWorkerd));
  it("Chromium", async ({ skip }) => {
    const path = await debianProgram("chromium-headless-shell");
    if (path === undefined) return skip("there is no Chromium");
    await passes(inChromium(path));
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@fleetwire/packaging";
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService } from "./runtimes/service.ts";
import { startWorkerd, workerdVersion } from "./workerd.ts";

interface Outcome {
  runtime: string;
  total: number;
  passed: number;
  failed: string[];
  /** Result texts by tool. */
  texts: Record<string, string>;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the cases with the built package for a runtime. Fails on Node built-ins. */
async function bundle(entry: string, conditions: string[], globalName?: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [here(entry)],
    bundle: true,
    platform: "browser",
    conditions,
    write: false,
    ...(globalName === undefined ? { format: "esm" } : { format: "iife", globalName }),
  });
  return outputFiles[0]?.text ?? "";
}

let folder: string;
let page: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleetwire-runtimes-"));
  const script = await bundle("runtimes/cases.mjs", ["browser"], "cases");
  page = `<!doctype html><meta charset="utf-8"><script>${script.replaceAll("</script", "<\\/script")}</script>`;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs in a runtime installed from npm. */
const fromNpm = (args: readonly string[]) => async (origin: string) =>
  JSON.parse(await runProgram("npx", ["-y", "-p", ...args, here("runtimes/in-process.mjs"), origin], folder, 180)) as Outcome;

/** Runs in this Node if it has the version, else in one installed from npm. */
function inNode(version: string) {
  return async (origin: string): Promise<Outcome> => {
    if (!process.versions.node.startsWith(`${version}.`)) return fromNpm([`node@${version}`, "node"])(origin);
    return JSON.parse(await runProgram(process.execPath, [here("runtimes/in-process.mjs"), origin], folder)) as Outcome;
  };
}

async function inWorkerd(origin: string): Promise<Outcome> {
  const script = await bundle("runtimes/in-workerd.mjs", ["workerd", "worker", "browser"]);
  const workerd = await startWorkerd(folder, script);
  try {
    const answer = await fetch(`${await workerd.origin}/?origin=${origin}`, { signal: AbortSignal.timeout(60_000) });
    return { ...((await answer.json()) as Outcome), runtime: `workerd ${workerdVersion}` };
  } finally {
    workerd.process.kill();
  }
}

/** Runs in a page on another origin than the service's, so that every call needs CORS. */
async function inChromium(origin: string, executablePath: string): Promise<Outcome> {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: 60_000 });
  try {
    const page = await browser.newPage();
    await page.goto(`${origin.replace("127.0.0.1", "localhost")}/page`);
    const run = `cases.runCases(${JSON.stringify(origin)})`;
    const outcome = (await page.evaluate(run)) as Omit<Outcome, "runtime">;
    return { ...outcome, runtime: `Chromium ${browser.version()}` };
  } finally {
    await browser.close();
  }
}

describe("the built client, and the built tools on it,", () => {
  const outcomes: Outcome[] = [];

  async function passes(run: (origin: string) => Promise<Outcome>): Promise<void> {
    const service = await startService(page);
    const outcome = await run(`http://127.0.0.1:${service.port}`).finally(() => service.stop());
    outcomes.push(outcome);
    console.log(`${outcome.runtime}: ${outcome.passed} of ${outcome.total} cases pass`);
    expect(outcome.failed).toEqual([]);
    expect(outcome.passed).toBe(outcome.total);
  }

  it.each(["20", "24"])("work in Node %s", (version) => passes(inNode(version)), 200_000);

  it("work in Bun", () => passes(fromNpm(["bun@1.4.5", "bun", "run"])), 200_000);

  it("work in Deno", () => passes(fromNpm(["deno@2.9.6", "deno", "run", "--allow-net", "--allow-read", "--allow-env"])), 200_000);

  it("work in workerd, without its Node compatibility", () => passes(inWorkerd));

  it("work in Chromium", async ({ skip }) => {
    const path = await debianProgram("chromium-headless-shell");
    if (path === undefined) return skip("there is no Chromium");
    await passes((origin) => inChromium(origin, path));
  }, 600_000);

  it("pass the same cases everywhere, with identical texts from tools", () => {
    expect(new Set(outcomes.map(({ total }) => total)).size).toBe(1);
    for (const { texts, runtime } of outcomes) expect({ runtime, texts }).toEqual({ runtime, texts: outcomes[0]?.texts });
    expect(outcomes[0]?.total).toBeGreaterThan(30);
  });
});

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram, runWithMessages } from "@fleetwire/packaging";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Installation } from "./frameworks.ts";
import { type GatedService, startGatedService } from "./gated-service.ts";
import { INSTALL_TIMEOUT, type Installed } from "./install-packages.ts";
import { type ScriptedProvider, scriptedProvider } from "./scripted-provider.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));
const MAX_LINES = 110;

function dependenciesOf(example: string): [string, string][] {
  const { dependencies } = JSON.parse(readFileSync(join(EXAMPLES, example, "package.json"), "utf8")) as { dependencies: object };
  return Object.entries(dependencies);
}

/** The programs; tests/replicas runs the deployment. */
const examples = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, "package.json")));

/** The packages of all examples, in the oldest versions that they allow. */
export const EXAMPLE_PACKAGES: Installation & { needsNode24: true } = {
  driver: "examples",
  packages: [
    ...new Set(
      examples
        .flatMap(dependenciesOf)
        .flatMap(([name, range]) => (name.startsWith("@fleetwire/") ? [] : `${name}@${range.replace("^", "")}`)),
    ),
  ],
  needsNode24: true,
};

/** Waits for a pattern in a program's further output. */
export function printed(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    const onData = (text: string) => {
      output += text;
      if (pattern.test(output)) resolve(output);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onData);
    child.once("exit", (code) => reject(new Error(`exited with code ${code}: ${output}`)));
  });
}

/** Runs the programs in examples/ in a copy of their folder. */
export function describeExamples(installed: Installed): void {
  let folder: string;
  let service: GatedService;
  let provider: ScriptedProvider;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await installed.folder(EXAMPLE_PACKAGES);
    await cp(EXAMPLES, folder, { recursive: true });
    [service, provider] = await Promise.all([startGatedService(), scriptedProvider()]);
    env = { PATH: process.env["PATH"] ?? "", HOME: folder, NO_COLOR: "1", ...service.env, ...provider.env };
  }, INSTALL_TIMEOUT);
  afterAll(() => Promise.all([service?.stop(), provider?.stop()]));

  const start = async (example: string, file: string, more: Record<string, string>) =>
    spawn(await installed.node(EXAMPLE_PACKAGES), [file], { cwd: join(folder, example), env: { ...env, ...more } });

  describe("examples/chat-agent", () => {
    it("plays the prepared conversation without a key, with the real tools", async () => {
      const node = await installed.node(EXAMPLE_PACKAGES);
      const output = await runProgram(node, ["chat.mjs"], join(folder, "chat-agent"), 60, { MODEL: "" });
      expect(output.split("\n").filter((line) => /^(MODEL|You| {2}\w|address|Send|Truck|Done|15 vans)/.test(line))).toEqual([
        expect.stringContaining("MODEL is not set"),
        "You: Where is truck 12?",
        '  locate_vehicle {"query":"truck 12"}',
        expect.stringMatching(/^Truck 12 .* S3 near Szczecin/),
        "You: Have it collect 4 pallets at Quai Perrache 10 in Lyon.",
        expect.stringMatching(/^ {2}create_job /),
        "address: Quai Perrache 10, 69002 Lyon, France",
        "Send it? [y/N] y",
        expect.stringMatching(/^Done/),
        "You: And the van?",
        '  locate_vehicle {"query":"van"}',
        expect.stringMatching(/^15 vans match/),
        "You: ",
      ]);
    });

    it("chats with a model, and sends a job once it is approved", async () => {
      const child = await start("chat-agent", "chat.mjs", { MODEL: "openai/gpt-5" });
      await printed(child, /You: $/);
      child.stdin.write("Where is truck 12?\n");
      expect(await printed(child, /You: $/)).toContain("Truck 12 (DW 6706N): ");
      child.stdin.write('call create_job {"address":"Example Road 1, Lyon","vehicleName":"Truck 12"}\n');
      expect(await printed(child, /\[y\/N\] $/)).toContain("address: Example Road 1, Lyon");
      expect(service.writes()).toBe(0);
      child.stdin.write("y\n");
      await printed(child, /Job created[\s\S]*You: $/);
      expect(service.writes()).toBe(1);
      child.stdin.write("\n");
      expect(await once(child, "exit")).toEqual([0, null]);
    });
  });

  it("examples/dispatch-api streams answers to a browser, and cannot write", async () => {
    const child = await start("dispatch-api", "server.mjs", { PORT: "0" });
    const [origin = ""] = /http:\S+/.exec(await printed(child, /http:\S+\n/)) ?? [];
    const ask = (body: string) => fetch(`${origin}/ask`, { method: "POST", body });
    expect(await (await fetch(origin)).text()).toContain("answer.textContent += value");
    expect(await (await ask("Where is truck 12?")).text()).toMatch(/^Truck 12 \(DW 6706N\): /);
    expect((await ask(" ")).status).toBe(400);
    const before = service.writes();
    await (await ask('call create_job {"address":"Example Road 2, Lyon","vehicleName":"Truck 12"}')).text();
    expect(service.writes()).toBe(before);
    child.kill();
    await once(child, "exit");
  });

  describe("examples/nightly-faults", () => {
    const report = async (more: Record<string, string>) => {
      const to = await mkdtemp(join(folder, "reports-"));
      const run = runWithMessages(process.execPath, ["report.mjs", to], join(folder, "nightly-faults"), 60, { ...env, ...more });
      return { to, run };
    };

    it("writes the open faults, red lamps first", async () => {
      const { to, run } = await report({});
      const file = (await run).stdout.trim();
      expect(file).toMatch(new RegExp(`^${to}/faults-\\d{4}-\\d\\d-\\d\\d\\.md$`));
      const text = await readFile(file, "utf8");
      const [, faults = "", red = ""] = /^(\d+) open faults of \d+ vehicles, (\d+) with a red lamp\.$/m.exec(text) ?? [];
      const rows = text
        .split("\n")
        .filter((line) => line.startsWith("| "))
        .slice(2);
      expect(rows).toHaveLength(Number(faults));
      expect(Number(faults)).toBeGreaterThan(0);
      expect(rows.map((row) => /^\| [^|]*red/i.test(row))).toEqual(rows.map((_, at) => at < Number(red)));
    });

    it("fails with a message if the service cannot be read", async () => {
      const { run } = await report({ FLEET_CLIENT_SECRET: "canary-wrong" });
      await expect(run).rejects.toThrow(/exited with 1[\s\S]*listVehicleFaults/);
    });
  });

  it.each(examples)("examples/%s installs the last release of Fleetwire, or the first one while there is none", (example) => {
    for (const [name, range] of dependenciesOf(example).filter(([name]) => name.startsWith("@fleetwire/"))) {
      const manifest = readFileSync(join(EXAMPLES, "../packages", name.replace("@fleetwire/", ""), "package.json"), "utf8");
      expect(`${name} ${range}`).toBe(`${name} ^${(JSON.parse(manifest) as { version: string }).version.replace(/^0\.0\.0$/, "0.1.0")}`);
    }
  });

  it.each(examples)("examples/%s fits two screens and is linked from the README", async (example) => {
    const files = readdirSync(join(EXAMPLES, example)).filter((name) => name.endsWith(".mjs"));
    for (const file of files)
      expect((await readFile(join(EXAMPLES, example, file), "utf8")).split("\n").length).toBeLessThanOrEqual(MAX_LINES);
    expect(readFileSync(join(EXAMPLES, "../README.md"), "utf8")).toContain(`(examples/${example}/README.md)`);
  });
}

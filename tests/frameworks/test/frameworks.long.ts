import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram, runWithMessages } from "@fleetwire/packaging";
import { blocksIn, document } from "@fleetwire/packaging/document-programs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatedService, startGatedService } from "./gated-service.ts";
import { INSTALL_TIMEOUT, type Installation, startInstalling } from "./install-packages.ts";
import { describeMatrix, FRAMEWORKS } from "./matrix.ts";
import { type ScriptedProvider, scriptedProvider } from "./scripted-provider.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));
/** The programs; tests/replicas runs the deployment. */
const examples = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, "package.json")));
const dependenciesOf = (example: string): [string, string][] =>
  Object.entries(JSON.parse(readFileSync(join(EXAMPLES, example, "package.json"), "utf8")).dependencies);
const others = examples.flatMap(dependenciesOf).filter(([name]) => !name.startsWith("@fleetwire/"));
/** The packages of all examples, in the oldest versions that they allow. */
const EXAMPLE_PACKAGES: Installation = {
  driver: "examples",
  packages: [...new Set(others.map(([name, range]) => `${name}@${range.replace("^", "")}`))],
  needsNode24: true,
};

const installed = startInstalling([...FRAMEWORKS, EXAMPLE_PACKAGES]);
afterAll(() => installed.remove(), INSTALL_TIMEOUT);

describeMatrix(FRAMEWORKS, installed);

let service: GatedService;
let provider: ScriptedProvider;
let env: Record<string, string>;
beforeAll(async () => {
  [service, provider] = await Promise.all([startGatedService(), scriptedProvider()]);
  env = { PATH: process.env["PATH"] ?? "", NO_COLOR: "1", OPENAI_AGENTS_DISABLE_TRACING: "1", ...service.env, ...provider.env };
});
afterAll(() => Promise.all([service.stop(), provider.stop()]));

/** Waits for a pattern in a program's further output. */
function printed(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> {
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

const JOB = 'call create_job {"address":"Example Road 1, Lyon","vehicleName":"Truck 12"}\n';

/** Asks a program at a terminal for a job, and replies to its question. Returns the number of jobs created until it prints a pattern. */
async function dispatched(child: ChildProcessWithoutNullStreams, reply: string, until: RegExp): Promise<number> {
  const before = service.writes();
  child.stdin.write(JOB);
  expect(await printed(child, /\[y\/N\] $/)).toContain("address: Example Road 1, Lyon");
  expect(service.writes()).toBe(before);
  child.stdin.write(`${reply}\n`);
  await printed(child, until).catch(() => {});
  return service.writes() - before;
}

const TSC = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
const SETTINGS = "--strict --skipLibCheck --module nodenext --target es2023 --lib es2023,dom,dom.iterable,dom.asynciterable --types node";

describe.each(FRAMEWORKS)("docs/agents.md on $name", (framework) => {
  const blocks = (language: string) => blocksIn(document("agents.md"), language, framework.name);

  it("installs what is tested", () => {
    const [, , own, ...packages] = (blocks("sh")[0] ?? "").trim().split(" ");
    expect(own).toBe("@fleetwire/tools");
    expect(packages).toHaveLength(framework.packages.length);
    for (const [at, name] of packages.entries()) expect(`${framework.packages[at]}.`.replace(/@(?=\d)/, "@").startsWith(name)).toBe(true);
  });

  it(
    "has programs that compile without a cast, say where truck 12 is and ask before a write",
    async () => {
      const [code = "", approval] = blocks("ts");
      expect(`${code}${approval}`).not.toMatch(/\bas (?!const\b)|@ts-|\bany\b/);
      const cwd = await installed.folder(framework);
      const programs = { "agent.ts": code, ...(approval !== undefined && { "approval.ts": approval }) };
      for (const [file, text] of Object.entries(programs)) await writeFile(join(cwd, file), text);
      expect(await runProgram(process.execPath, [TSC, ...SETTINGS.split(" "), ...Object.keys(programs)], cwd)).toBe("");
      const node = await installed.node(framework);
      expect(await runProgram(node, ["agent.js"], cwd, 60, { ...env, HOME: cwd })).toMatch(/^Truck 12 \(DW 6706N\): /m);
      const start = () => spawn(node, ["approval.js"], { cwd, env: { ...env, HOME: cwd } });
      if (approval !== undefined) expect([await dispatched(start(), "no", /$^/), await dispatched(start(), "y", /$^/)]).toEqual([0, 1]);
    },
    INSTALL_TIMEOUT,
  );
});

describe("the example", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await installed.folder(EXAMPLE_PACKAGES);
    await cp(EXAMPLES, folder, { recursive: true });
  }, INSTALL_TIMEOUT);

  const start = async (example: string, file: string, more: Record<string, string>) =>
    spawn(await installed.node(EXAMPLE_PACKAGES), [file], { cwd: join(folder, example), env: { ...env, HOME: folder, ...more } });

  it("chat-agent plays the prepared conversation without a key, with the real tools", async () => {
    const node = await installed.node(EXAMPLE_PACKAGES);
    const output = await runProgram(node, ["chat.mjs"], join(folder, "chat-agent"), 60, { MODEL: "" });
    const words = ["MODEL is not set", "Where is truck 12?", "locate_vehicle", "S3 near Szczecin", "collect 4 pallets", "create_job "];
    const rest = ["address: Quai Perrache 10, 69002 Lyon, France", "Send it? [y/N] y", "\nDone", "And the van?", "15 vans match"];
    for (const part of [...words, ...rest]) expect(output).toContain(part);
  });

  it("chat-agent chats with a model, and sends a job once it is approved", async () => {
    const child = await start("chat-agent", "chat.mjs", { MODEL: "openai/gpt-5" });
    await printed(child, /You: $/);
    child.stdin.write("Where is truck 12?\n");
    expect(await printed(child, /You: $/)).toContain("Truck 12 (DW 6706N): ");
    expect(await dispatched(child, "y", /Job created[\s\S]*You: $/)).toBe(1);
    child.stdin.write("\n");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("dispatch-api streams answers to a browser, and cannot write", async () => {
    const child = await start("dispatch-api", "server.mjs", { PORT: "0" });
    const [origin = ""] = /http:\S+/.exec(await printed(child, /http:\S+\n/)) ?? [];
    const ask = (body: string) => fetch(`${origin}/ask`, { method: "POST", body });
    expect(await (await fetch(origin)).text()).toContain("answer.textContent += value");
    expect(await (await ask("Where is truck 12?")).text()).toMatch(/^Truck 12 \(DW 6706N\): /);
    expect((await ask(" ")).status).toBe(400);
    const before = service.writes();
    await (await ask(JOB)).text();
    expect(service.writes()).toBe(before);
    child.kill();
    await once(child, "exit");
  });

  it("nightly-faults writes the open faults, red lamps first, or fails with a message", async () => {
    const to = await mkdtemp(join(folder, "reports-"));
    const report = (more = {}) =>
      runWithMessages(process.execPath, ["report.mjs", to], join(folder, "nightly-faults"), 60, { ...env, ...more });
    const file = (await report()).stdout.trim();
    expect(file).toMatch(new RegExp(`^${to}/faults-\\d{4}-\\d\\d-\\d\\d\\.md$`));
    const text = await readFile(file, "utf8");
    const [, faults, red] = /^(\d+) open faults of \d+ vehicles, (\d+) with a red lamp\.$/m.exec(text) ?? [];
    const rows = text.split("\n").filter((line) => line.startsWith("| "));
    expect(rows.slice(2).map((row) => /^\| [^|]*red/i.test(row))).toEqual(
      Array.from({ length: Number(faults) }, (_, at) => at < Number(red)),
    );
    await expect(report({ FLEET_CLIENT_SECRET: "canary-wrong" })).rejects.toThrow(/exited with 1[\s\S]*listVehicleFaults/);
  });

  it.each(examples)("%s installs the last release of Fleetwire, or the first one while there is none", (example) => {
    for (const [name, range] of dependenciesOf(example).filter(([name]) => name.startsWith("@fleetwire/"))) {
      const manifest = readFileSync(join(EXAMPLES, "../packages", name.replace("@fleetwire/", ""), "package.json"), "utf8");
      expect(`${name} ${range}`).toBe(`${name} ^${JSON.parse(manifest).version.replace(/^0\.0\.0$/, "0.1.0")}`);
    }
  });
});

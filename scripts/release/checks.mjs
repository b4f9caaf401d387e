// Installs and runs published packages as the documents say, in empty folders with an empty cache and only one registry.
import { once } from "node:events";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { emptyUser } from "./registry.mjs";
import { printed, run, start, step, twoAtATime } from "./steps.mjs";

const PINNED = { typescript: "7.0.2", types: "20.19.0", pnpm: "12.21.0", yarn: "1.22.22", bun: "1.4.5" };
/** What an installation of the server may contain, and the processor's seconds that an answer through `npx` with a warm cache takes. */
const MAX_SERVER = { packages: 15, megabytes: 20, seconds: 3 };

/** How many packages a folder's node_modules contains, and how large they are. */
function sizeOf(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true })) {
    const stat = lstatSync(join(folder, entry));
    if (stat.isFile()) bytes += stat.size;
  }
  const manifests = readdirSync(folder, { recursive: true }).filter((entry) =>
    /(^|node_modules\/)(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(entry),
  );
  return { packages: manifests.length, megabytes: bytes / 1e6 };
}

/** The processor's seconds of all programs that this one has started and that have ended: unlike a clock, other programs hardly change it. Outside Linux, a clock. */
function spentByPrograms() {
  if (!existsSync("/proc/self/stat")) return performance.now() / 1000;
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const TICKS_PER_SECOND = 100;
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** Calls a tool of a server that is started by a command. */
async function callTool([command, ...args], cwd, env) {
  const client = new Client({ name: "release", version: "1" });
  const transport = new StdioClientTransport({ command, args, cwd, env, stderr: "pipe" });
  let errors = "";
  transport.stderr?.on("data", (text) => (errors += text));
  try {
    await client.connect(transport, { timeout: 120_000 });
    const { content } = await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } });
    if (!/^\[sandbox\] Truck 12 /.test(content[0].text)) throw new Error(content[0].text);
  } catch (error) {
    throw new Error(`${error.message}\n${errors}`);
  } finally {
    await client.close();
  }
}

/** Starts the made-up fleet and returns the variables of its clients. */
async function startSandbox(folder, env) {
  const sandbox = start(["npx", "-y", "-p", "@fleetwire/sandbox", "fleetwire-sandbox"], folder, env);
  const [line] = await printed(sandbox, /^\{"origin".*\}$/m);
  return JSON.parse(line).env;
}

/** The service that the programs of a user in tests/packaging expect. */
async function startService() {
  const service = createServer((request, response) => {
    const known = request.url?.startsWith("/public/v1/customer/c42/tracking/live");
    response.writeHead(known ? 200 : 404, { "content-type": "application/json" }).end('[{"assetName":"Truck 12"}]');
  });
  await once(service.listen(0, "127.0.0.1"), "listening");
  service.unref();
  return `http://127.0.0.1:${service.address().port}`;
}

/** The paths of the Node versions on which the packages are tried, which come from npm. */
export async function nodeVersions() {
  const pathOf = async (major) =>
    (await run(["npx", "-y", "-p", `node@${major}`, "--", "node", "-p", "process.execPath"], "/", { seconds: 300 })).trim();
  return { 20: await pathOf(20), 24: await pathOf(24) };
}

export async function runChecks(copy, work, registry, nodes, bundle) {
  const check = (what, program) => step(what, program, { check: true });
  let users = 0;
  const user = async () => {
    const home = join(work, `user-${++users}`);
    const env = await emptyUser(home, registry);
    const folder = join(home, "project");
    await mkdir(folder);
    return { folder, env };
  };
  const withNode = (env, major) => ({ ...env, PATH: `${join(nodes[major], "..")}:${env.PATH}` });

  const server = ["npx", "-y", "@fleetwire/mcp-server", "--sandbox"];
  const host = await user();
  const answers = (command, env = host.env) => callTool(command, host.folder, env);
  await check("npx server answers, empty cache", () => answers(server));
  await check(`npx server answers, warm cache, in at most ${MAX_SERVER.seconds} s of processor time (best of 5)`, async () => {
    let seconds = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 5 && seconds > MAX_SERVER.seconds; time++) {
      const before = spentByPrograms();
      await answers(server);
      seconds = Math.min(seconds, spentByPrograms() - before);
    }
    if (seconds === 0 || seconds > MAX_SERVER.seconds) throw new Error(`${seconds.toFixed(1)} s`);
    return { seconds };
  });
  const startFleet = async () => {
    const { folder, env } = await user();
    return { result: await startSandbox(folder, env) };
  };
  let starting;
  /** Installs and runs an example, for the fleet of the sandbox from the registry. */
  const example = async (name, more, use) => {
    starting ??= check("npx fleetwire-sandbox", startFleet);
    const fleet = await starting;
    const { folder, env } = await user();
    await cp(join(copy, "examples", name), folder, { recursive: true });
    const settings = withNode({ ...env, ...fleet, ...more }, 24);
    await run(["npm", "install"], folder, { env: settings });
    await use(folder, settings);
    return sizeOf(join(folder, "node_modules"));
  };

  const ORIGIN = await startService();
  const consumers = join(copy, "tests/packaging/test/consumers");
  const installing = {
    npm: ["install"],
    // By default, pnpm ignores what was published within a day.
    pnpm: ["add", "--config.minimumReleaseAge=0"],
    yarn: ["add", "--non-interactive"],
    bun: ["add"],
  };
  const resolutions = {
    NodeNext: { module: "NodeNext", lib: ["ES2023"] },
    Bundler: { module: "ESNext", moduleResolution: "bundler", lib: ["ES2023", "DOM", "DOM.Iterable"] },
  };

  await twoAtATime(
    [
      ["npx server answers on Node 24", () => answers(server, withNode(host.env, 24))],
      ["bundle for Claude Desktop answers", () => answers([...bundle, "--sandbox"])],
      [
        `npm install of the server, at most ${MAX_SERVER.packages} packages and ${MAX_SERVER.megabytes} MB`,
        async () => {
          const { folder, env } = await user();
          await run(["npm", "install", "@fleetwire/mcp-server"], folder, { env });
          const size = sizeOf(join(folder, "node_modules"));
          if (size.packages > MAX_SERVER.packages || size.megabytes > MAX_SERVER.megabytes)
            throw new Error(`${size.packages} packages, ${size.megabytes.toFixed(1)} MB`);
          return size;
        },
      ],
      [
        "a pipeline of someone else's: green, fails on drift, accepts it, says when it vanished",
        async () => {
          const { folder, env } = await user();
          await run(["npm", "install", "--ignore-scripts", "@fleetwire/contract-tests"], folder, { env });
          await runPipeline(folder, { ...env, GITHUB_ACTIONS: "true" });
          return sizeOf(join(folder, "node_modules"));
        },
      ],
      [
        "examples/nightly-faults",
        () => example("nightly-faults", {}, (folder, env) => run(["node", "report.mjs", "reports"], folder, { env })),
      ],
      [
        "examples/chat-agent",
        () =>
          example("chat-agent", {}, async (folder, env) => {
            const output = await run(["npm", "start"], folder, { env });
            if (!/^Done/m.test(output)) throw new Error(output);
          }),
      ],
      [
        "examples/dispatch-api",
        () =>
          example("dispatch-api", { PORT: "0", OPENAI_API_KEY: "none" }, async (folder, env) => {
            const program = start(["node", "server.mjs"], folder, env);
            const [origin] = await printed(program, /http:\S+/);
            const page = await fetch(origin);
            const refused = await fetch(`${origin}/ask`, { method: "POST", body: " " });
            program.stop();
            if (!page.ok || refused.status !== 400) throw new Error(`responded with ${page.status} and ${refused.status}`);
          }),
      ],
      ...Object.entries(installing).map(([manager, args]) => [
        `${manager}: install, import and require()`,
        async () => {
          const { folder, env } = await user();
          await writeFile(join(folder, "package.json"), JSON.stringify({ name: "user", version: "1.0.0", private: true, type: "module" }));
          await run([await programOf(manager), ...args, "@fleetwire/core", "@fleetwire/tools"], folder, { env });
          await cp(consumers, folder, { recursive: true });
          for (const file of ["main.mjs", "main.cjs"])
            for (const node of Object.values(nodes)) await expectAnswer([node, file], folder, { ...env, ORIGIN });
          // pnpm's links would be counted twice.
          return manager === "pnpm" ? undefined : sizeOf(join(folder, "node_modules"));
        },
      ]),
      [
        `${Object.keys(resolutions).join(" and ")}: type-check and run`,
        async () => {
          const { folder, env } = await user();
          await writeFile(join(folder, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
          const types = [`typescript@${PINNED.typescript}`, `@types/node@${PINNED.types}`];
          await run(["npm", "install", "@fleetwire/core", "@fleetwire/tools", ...types], folder, { env });
          await cp(join(consumers, "main.ts"), join(folder, "main.ts"));
          for (const [name, settings] of Object.entries(resolutions)) {
            const common = { target: "ES2022", strict: true, outDir: name, types: ["node"], noPropertyAccessFromIndexSignature: true };
            const config = { compilerOptions: { ...common, ...settings }, files: ["main.ts"] };
            await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
            await run(["npx", "tsc"], folder, { env });
            await expectAnswer([nodes[20], `${name}/main.js`], folder, { ...env, ORIGIN });
          }
        },
      ],
    ],
    ([what, program]) => check(what, program),
  );
}

/** The nights of a pipeline, in which a field of the deployment changes its type, and changes back. */
async function runPipeline(folder, env) {
  const verify = ["npx", "--no-install", "fleetwire-contract", "verify", "--sandbox"];
  const drift = ["--faults", "drift-type"];
  const baseline = ["--baseline", "fleetwire-baseline.json"];
  const nights = [
    ["green", [], 0, /matches the contract/],
    ["a new difference, as an annotation", drift, 1, /^::error .*expected .*actual/m],
    ["accepted", [...drift, ...baseline, "--update-baseline"], 0, /^Accepted:/m],
    ["green with it", [...drift, ...baseline], 0, /^Accepted:/m],
    ["said to have vanished", baseline, 0, /^vanished: /m],
  ];
  for (const [night, args, expected, words] of nights) {
    const program = start([...verify, ...args], folder, env);
    const { code, output } = await program.ended;
    if (code !== expected || !words.test(output)) throw new Error(`${night}: exited with ${code}\n${output}`);
  }
}

async function expectAnswer(command, folder, env) {
  const output = await run(command, folder, { env });
  if (output.trim() !== '["Truck 12",200,"input",true,"Truck 12"]') throw new Error(`${command.join(" ")} printed ${output}`);
}

/** The path of a package manager, which comes from the configured registry: only what it installs has to come from the local one. */
async function programOf(manager) {
  if (manager === "npm") return "npm";
  const path = await run(["npx", "-y", "-p", `${manager}@${PINNED[manager]}`, "--", "which", manager], "/", { seconds: 300 });
  return path.trim();
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatedService, startGatedService } from "./gated-service.ts";
import { INSTALL_TIMEOUT, type Installation, type Installed } from "./install-packages.ts";
import { callsFor, scriptedProvider } from "./scripted-provider.ts";

/** A framework, in the version that its adapter is tested with. */
export interface Framework extends Installation {
  /** The heading of its section in docs/agents.md. */
  name: string;
  /** Whether it has approval of its own, or may have, if the application configures it. Without it, writes return a preview and a token. */
  approval: "none" | "own" | "configured";
}

const framework = (name: string, driver: string, approval: Framework["approval"], ...packages: readonly string[]): Framework => ({
  ...{ name, driver, approval, packages },
  needsNode24: ["ai-sdk", "mastra"].includes(driver),
});

export const FRAMEWORKS: readonly Framework[] = [
  framework("AI SDK", "ai-sdk", "configured", "ai@7.0.173", "@ai-sdk/openai@4.0.118"),
  framework("OpenAI Agents", "openai-agents", "own", "@openai/agents@0.20.0"),
  framework("Anthropic", "anthropic", "none", "@anthropic-ai/sdk@1.12.0"),
  framework(
    ...(["LangChain", "langchain", "configured"] as const),
    ...["langchain@1.5.14", "@langchain/core@1.4.0", "@langchain/langgraph@1.7.3", "@langchain/openai@1.6.0"],
  ),
  framework("Mastra", "mastra", "own", "@mastra/core@1.71.0"),
  framework("TanStack AI", "tanstack-ai", "configured", "@tanstack/ai@0.58.0", "@tanstack/ai-openai@0.23.1"),
  framework("Genkit", "genkit", "configured", "genkit@1.42.0", "@genkit-ai/compat-oai@1.42.0"),
];

/** How the user responds to a write. */
type Decision = "approve" | "deny" | "open";

/** The results as the model saw them, the previews that the user saw, and the records that the application saw. */
interface Seen {
  shown: string[];
  asked: string[];
  records: unknown[];
  /** Set if the framework threw. */
  thrown?: string;
}

const REPLY_TIMEOUT = 50_000;
const DRIVER = join(fileURLToPath(new URL("../drivers", import.meta.url)), "agent.mjs");

/** Runs a framework in its own process, with a model that follows the prompt literally. */
async function openHost({ driver, ...installation }: Framework, folder: string, installed: Installed, env: GatedService["env"]) {
  const provider = await scriptedProvider();
  const file = join(folder, "agent-driver.mjs");
  await copyFile(DRIVER, file);
  const child = spawn(await installed.node(installation), [file, driver], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, NO_COLOR: "1", ...env, ...provider.env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "exit").then(() => []);
  const reply = async (): Promise<Omit<Seen, "shown">> => {
    const replied = once(child, "message", { signal: AbortSignal.timeout(REPLY_TIMEOUT) });
    const [message] = await Promise.race([replied, ended]).catch(() => []);
    if (message === undefined) throw new Error(`the ${driver} driver ended or did not reply: ${output.slice(-1_500)}`);
    return message;
  };
  await reply();
  return {
    say: async (prompt: string, decide?: Decision, bare?: boolean): Promise<Seen> => {
      provider.shown.length = 0;
      const replied = reply();
      child.send({ prompt, decide, bare });
      return { ...(await replied), shown: [...provider.shown] };
    },
    abort: () => child.send({ abort: true }),
    close: async () => {
      child.kill("SIGKILL");
      await ended;
      await provider.stop();
    },
  };
}

/** Reads for which every framework must show the text and the record that the tools return. */
const READS = {
  list: 'call list_live_positions {"sort":"-speed","limit":3}',
  question: "Where is truck 12?",
  ambiguous: 'call locate_vehicle {"query":"truck"}',
  error: 'call list_live_positions {"limit":-1}',
} as const;

const CREATED = /Job created[\s\S]*FW-\d{8}-\w{10}/;
const TOKEN = /(?<![\w.-])[0-9a-z]{6,12}\.[A-Z0-9-]{0,40}\.[\w-]{22,}/;

/** Matches ages, which differ between two calls. */
const timeless = (text: string) => text.replace(/\d+ (s|min) ago|just now/g, "? ago").replace(/now \d{4}-\d\d-\d\d \d\d:\d\d/g, "now ?");

/** Runs every case in every framework. */
export function describeMatrix(frameworks: readonly Framework[], installed: Installed): void {
  let service: GatedService;
  beforeAll(async () => {
    service = await startGatedService();
  });
  afterAll(() => service.stop());

  describe.each(frameworks)("$name", (framework) => {
    const { name, approval } = framework;
    let host: Awaited<ReturnType<typeof openHost>>;
    beforeAll(async () => {
      host = await openHost(framework, await installed.folder(framework), installed, service.env);
    }, INSTALL_TIMEOUT);
    afterAll(() => host?.close());

    /** Lets the model write a job, and returns how many jobs that created. */
    async function write(address: string, decide: Decision, bare = false, more = {}) {
      const before = service.writes();
      const prompt = `call create_job ${JSON.stringify({ address, vehicleName: "Truck 12", ...more })}`;
      const { asked, shown, thrown } = await host.say(prompt, decide, bare);
      return { asked, shown: shown.join(), thrown, jobs: service.writes() - before };
    }

    it.each(Object.entries(READS))("%s: shows the text and record that the tools return", async (what, prompt) => {
      const [{ name: tool = "", args = {} } = {}] = callsFor(prompt);
      const { text, structured } = await createFleetTools(fleetToolsConfigFromEnv(service.env)).call(tool, args);
      const { shown, records, thrown } = await host.say(prompt);
      expect(thrown).toBeUndefined();
      // Providers may wrap the text of an error.
      if (what === "error") expect(shown.join()).toContain(text);
      else
        expect([shown.map(timeless), timeless(JSON.stringify(records))]).toEqual([
          [timeless(text)],
          timeless(JSON.stringify([structured])),
        ]);
    });

    it.runIf(approval !== "none").each([
      ["approve", "sends exactly what was shown", 1, CREATED],
      ["deny", "sends nothing, and the model is told", 0, /denied|declined|not approved/],
      ["open", "sends nothing", 0, /^(?![\s\S]*Job created)/],
    ] as const)("%s: %s", async (decide, _, jobs, shown) => {
      const address = `${name} ${decide}, Lyon`;
      const asked = [expect.stringContaining(`address: ${address}`)];
      expect(await write(address, decide)).toEqual({ asked, shown: expect.stringMatching(shown), jobs, thrown: undefined });
    });

    it.runIf(approval !== "own")("without approval: returns a preview and a token that sends it", async () => {
      const address = `${name} by token, Lyon`;
      const first = await write(address, "approve", true);
      expect(first).toMatchObject({ jobs: 0, shown: expect.stringMatching(/Nothing was sent: the user must approve/) });
      const [confirmation] = TOKEN.exec(first.shown) ?? [];
      expect(await write(address, "approve", true, { confirmation })).toMatchObject({ jobs: 1, shown: expect.stringMatching(CREATED) });
    });

    it("cancelled: the request to the service is cancelled", async () => {
      const { arrived, closed } = service.hold();
      const said = host.say("call list_jobs {}");
      await arrived;
      host.abort();
      await closed;
      expect((await said).shown.join()).not.toMatch(/jobs/);
    });
  });
}

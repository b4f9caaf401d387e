import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Framework } from "./frameworks.ts";
import type { Installed } from "./install-packages.ts";
import { callsFor, scriptedProvider } from "./scripted-provider.ts";

/** How the user responds to a write. */
export type Decision = "approve" | "deny" | "open";

/** The outcome of a prompt. */
export interface Seen {
  /** The results as the model saw them. */
  shown: string[];
  /** The previews that the user saw. */
  asked: string[];
  /** The records that the application saw. */
  records: unknown[];
  /** Set if the framework threw. */
  thrown?: string;
}

/** Something that gives a model the tools: a framework, the MCP server, or plain code. */
export interface ToolHost {
  /** Set `bare` to run without the framework's approval configured. */
  say(prompt: string, decide?: Decision, bare?: true): Promise<Seen>;
  /** Cancels the last prompt. */
  abort(): void;
  close(): Promise<void>;
}

type Env = Readonly<Record<string, string>>;

const REPLY_TIMEOUT = 50_000;

/** Runs a framework in its own process, with a model that follows the prompt literally. */
export async function frameworkHost(framework: Framework, installed: Installed, env: Env): Promise<ToolHost> {
  const { driver } = framework;
  const folder = await installed.folder(framework);
  const provider = await scriptedProvider();
  await cp(fileURLToPath(new URL("../drivers", import.meta.url)), join(folder, "drivers"), { recursive: true });
  const child = spawn(await installed.node(framework), [join(folder, "drivers", `${driver}.mjs`)], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, NO_COLOR: "1", ...env, ...provider.env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "exit");
  const reply = <Reply>(): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`the ${driver} driver ${why}: ${output.slice(-1_500)}`));
      const late = setTimeout(() => fail(`did not reply within ${REPLY_TIMEOUT} ms`), REPLY_TIMEOUT);
      const onExit = () => fail("exited");
      child.once("exit", onExit).once("message", (message) => {
        clearTimeout(late);
        child.off("exit", onExit);
        resolve(message as Reply);
      });
    });
  await reply();
  return {
    say: async (prompt, decide, bare) => {
      provider.shown.length = 0;
      const replied = reply<Omit<Seen, "shown">>();
      child.send({ prompt, decide, bare });
      const seen = await replied;
      return { ...seen, shown: [...provider.shown] };
    },
    abort: () => child.send({ abort: true }),
    close: async () => {
      child.kill("SIGKILL");
      await ended;
      await provider.stop();
    },
  };
}

/** The built MCP server, with a client whose user approves, declines or cancels. */
export async function mcpHost(env: Env): Promise<ToolHost> {
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  let decision: Decision | undefined;
  let asked: string[] = [];
  let aborting = new AbortController();
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    const action = decision === "approve" ? "accept" : decision === "deny" ? "decline" : "cancel";
    return { action, ...(action === "accept" && { content: { confirm: true } }) };
  });
  const bin = fileURLToPath(new URL("../../../packages/mcp-server/dist/fleetwire-mcp.js", import.meta.url));
  await client.connect(
    new StdioClientTransport({
      ...{ command: process.execPath, args: [bin] },
      env: { PATH: process.env["PATH"] ?? "", FLEET_LOG: "silent", ...env },
    }),
  );
  return {
    say: async (prompt, decide) => {
      decision = decide;
      asked = [];
      aborting = new AbortController();
      const results = [];
      try {
        for (const { name, args } of callsFor(prompt))
          results.push(await client.callTool({ name, arguments: args }, { signal: aborting.signal }));
      } catch (error) {
        return { shown: [], asked, records: [], thrown: (error as Error).message };
      }
      const shown = results.map(({ content }) => content.map((part) => (part.type === "text" ? part.text : "")).join("\n"));
      return { shown, asked, records: results.map(({ structuredContent }) => structuredContent) };
    },
    abort: () => aborting.abort(),
    close: () => client.close(),
  };
}

/** Calls the tools directly, as an application without a framework does. */
export function directHost(env: Env): ToolHost {
  const fleet = createFleetTools(fleetToolsConfigFromEnv(env));
  let aborting = new AbortController();
  return {
    say: async (prompt, decide) => {
      aborting = new AbortController();
      const seen: Seen = { shown: [], asked: [], records: [] };
      for (const { name, args } of callsFor(prompt)) {
        const tool = fleet.byName.get(name);
        if (decide && tool?.needsApproval(args)) seen.asked.push((await tool.preview(args)).text);
        if (decide === "open" || decide === "deny") continue;
        const { text, structured } = await fleet.call(name, args, { approved: decide === "approve", signal: aborting.signal });
        seen.shown.push(text);
        seen.records.push(structured);
      }
      return seen;
    },
    abort: () => aborting.abort(),
    close: async () => {},
  };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cleanEnv } from "./fleet.ts";
import { type Dialect, scriptedModel, type ToolCall } from "./scripted-model.ts";
import type { Session } from "./session.ts";

export type { Dialect } from "./scripted-model.ts";

/** A host program that runs its own model. */
export interface Agent {
  command: string;
  args: readonly string[];
  /** Its environment, given the model's URL. */
  env(origin: string): Readonly<Record<string, string>>;
  prepare?(origin: string): Promise<void>;
}

const TURN_TIMEOUT = 90_000;

// A proxy where nothing listens, so that only loopback is reachable.
const NOWHERE = "http://127.0.0.1:9";

/** Starts a host with a scripted model; `questions` returns all questions to its user so far. */
export async function openAgent(
  { command, args, env, prepare }: Agent,
  dialect: Dialect,
  folder: string,
  questions: () => Promise<readonly string[]>,
): Promise<Omit<Session, "reply">> {
  const model = await scriptedModel(dialect);
  await prepare?.(model.origin);
  const proxies = { HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE, NO_PROXY: "127.0.0.1,localhost" };
  const child = spawn(command, args, {
    cwd: folder,
    env: cleanEnv({ HOME: folder, NO_COLOR: "1", ...proxies, ...env(model.origin) }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "close");
  /** What the model sees. Rejects if the host exits or times out. */
  const shownFor = (call: ToolCall): Promise<string> =>
    new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${command} ${why}: ${output.slice(-1_500)}`));
      const late = setTimeout(() => fail(`sent its model no result within ${TURN_TIMEOUT} ms`), TURN_TIMEOUT);
      const onEnd = (code: number | null) => fail(`exited with code ${code}`);
      child.once("close", onEnd);
      model
        .call(call)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(late);
          child.off("close", onEnd);
        });
    });
  return {
    call: async (tool, args) => {
      const before = (await questions()).length;
      const seen = await shownFor({ tool, args });
      return { seen, thrown: false, questions: (await questions()).slice(before) };
    },
    close: async () => {
      const late = setTimeout(() => child.kill("SIGKILL"), 8_000);
      await model.stop();
      await ended;
      clearTimeout(late);
    },
  };
}

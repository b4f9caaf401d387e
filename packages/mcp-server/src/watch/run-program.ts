import { spawn } from "node:child_process";
import type { WatchEvent } from "@fleetwire/tools/watch";
import type { Attempt } from "./webhook.ts";

const TIMEOUT = 60_000;

/** Runs a program without a shell, with the event as JSON on its stdin. It sees none of the server's own variables, which may be secrets. */
export function runProgram(program: string, event: WatchEvent, signal: AbortSignal): Promise<Attempt> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("FLEET_")));
  return new Promise((settle) => {
    // What it prints must not get among the events.
    const child = spawn(program, [], { env, stdio: ["pipe", 2, 2], signal, timeout: TIMEOUT, killSignal: "SIGKILL", windowsHide: true });
    child.on("error", ({ code }: NodeJS.ErrnoException) =>
      settle({ isDelivered: false, why: signal.aborted ? "interrupted" : (code ?? "cannot be run"), isGone: false }),
    );
    child.on("close", (code, killed) =>
      settle(
        code === 0
          ? { isDelivered: true }
          : { isDelivered: false, why: killed ? `killed by ${killed}` : `exit code ${code}`, isGone: false },
      ),
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end(`${JSON.stringify(event)}\n`);
  });
}

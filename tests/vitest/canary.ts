// Secrets in tests contain the word `canary-`. It must never appear in the output of a test or of a program that the test starts.
import childProcess, { type ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import type { Readable } from "node:stream";
import { afterEach } from "vitest";

/** The word, and its base64 at each of the three possible offsets. */
const traces = ["canary-", "Y2FuYXJ5", "NhbmFye", "jYW5hcn"];

/** The text around a trace of a secret, if there is any. */
export function canaryIn(text: string): string | undefined {
  const at = traces.map((trace) => text.indexOf(trace)).find((index) => index >= 0);
  return at === undefined ? undefined : text.slice(Math.max(0, at - 100), at + 100);
}

const LONGEST = Math.max(...traces.map(({ length }) => length));
const found: string[] = [];

/** Searches a stream of text, including across chunk boundaries. */
function watch(where: string): (chunk: unknown) => void {
  let tail = "";
  return (chunk) => {
    const text = tail + (chunk instanceof Uint8Array ? Buffer.from(chunk).toString("latin1") : String(chunk ?? ""));
    const shown = canaryIn(text);
    if (shown !== undefined) found.push(`${where}: ${shown}`);
    tail = text.slice(1 - LONGEST);
  };
}

for (const name of ["stdout", "stderr"] as const) {
  const stream = process[name];
  const look = watch(`the test's ${name}`);
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    look(args[0]);
    return write(...args);
  };
}
for (const level of ["debug", "error", "info", "log", "warn"] as const) {
  const write = console[level];
  const look = watch(`console.${level}`);
  console[level] = (...args: unknown[]) => {
    for (const arg of args) look(typeof arg === "string" ? arg : JSON.stringify(arg));
    write(...args);
  };
}

function watchStream(stream: Readable | null | undefined, where: string): void {
  if (!stream) return;
  const look = watch(where);
  const push = stream.push.bind(stream) as (...args: [unknown, BufferEncoding?]) => boolean;
  // Hooks `push`, since a listener would start the stream before the test listens.
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    look(chunk);
    return push(chunk, encoding);
  };
}

const { spawn } = childProcess;
childProcess.spawn = ((...args: Parameters<typeof spawn>): ChildProcess => {
  const child = spawn(...args);
  const program = [args[0], ...(Array.isArray(args[1]) ? args[1] : [])].join(" ").slice(-100);
  watchStream(child.stdout, `stdout of ${program}`);
  watchStream(child.stderr, `stderr of ${program}`);
  return child;
}) as typeof spawn;
syncBuiltinESMExports();

afterEach(() => {
  const shown = found.splice(0);
  if (shown.length > 0) throw new Error(`A secret was written:\n${shown.join("\n")}`);
});

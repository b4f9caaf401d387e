// Runs the steps of a release and prints a table of them at the end.
import { spawn } from "node:child_process";

const rows = [];

/** Runs a step, whose result may say how many packages it installed and their size, and how long what matters took. The first failing step of a release ends it; a failing check does not. */
export async function step(what, work, { check = false } = {}) {
  const began = Date.now();
  try {
    const { packages, megabytes, result, ...measured } = (await work()) ?? {};
    const seconds = measured.seconds ?? (Date.now() - began) / 1000;
    rows.push({ what, ok: true, seconds, packages, megabytes });
    console.error(`${what} ... ok, ${seconds.toFixed(1)} s`);
    return result;
  } catch (error) {
    rows.push({ what, ok: false, seconds: (Date.now() - began) / 1000 });
    console.error(`${what} ... FAILED\n${error.message}\n`);
    if (!check) throw error;
    return undefined;
  }
}

/** Calls a function for each item, two at a time, and returns the results in order. Waits for both before it throws. */
export async function twoAtATime(items, work) {
  const results = [];
  let next = 0;
  let failure;
  const lane = async () => {
    while (next < items.length && failure === undefined) {
      const at = next++;
      try {
        results[at] = await work(items[at]);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all([lane(), lane()]);
  if (failure !== undefined) throw failure;
  return results;
}

export const allPassed = () => rows.every(({ ok }) => ok);

/** Prints the table. */
export function printTable() {
  const width = Math.max(...rows.map(({ what }) => what.length));
  console.log(`\n${"what".padEnd(width)}  ok   seconds  packages    MB`);
  for (const { what, ok, seconds, packages = "", megabytes } of rows) {
    const size = megabytes === undefined ? "" : megabytes.toFixed(1);
    const cells = [what.padEnd(width), ok ? "yes" : "NO ", seconds.toFixed(1).padStart(8), String(packages).padStart(8), size.padStart(5)];
    console.log(cells.join("  ").trimEnd());
  }
  console.log(`${process.uptime().toFixed(0)} s in total`);
}

const running = new Set();

/** Starts a program in a process group of its own, so that what it starts ends with it. */
export function start([program, ...args], cwd, env = process.env) {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"])
    child[name].setEncoding("utf8").on("data", (text) => {
      printed[name] += text;
      output += text;
    });
  const stop = () => {
    running.delete(stop);
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  };
  running.add(stop);
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output, ...printed }));
  });
  ended.catch(() => {});
  return { child, ended, stop, output: () => output };
}

/** Ends every program that is still running. */
export function stopAll() {
  for (const stop of running) stop();
}

/** Runs a program to its end and returns what it printed. */
export async function run(command, cwd, { env = process.env, seconds = 180 } = {}) {
  const program = start(command, cwd, env);
  const timer = setTimeout(program.stop, seconds * 1000);
  const { code, stdout, output } = await program.ended.finally(() => clearTimeout(timer));
  program.stop();
  if (code !== 0) throw new Error(`${command.join(" ")} exited with ${code ?? `a timeout of ${seconds} s`}\n${output}`);
  return stdout;
}

/** Waits until a started program has printed a pattern, and returns the match. */
export async function printed(program, pattern, seconds = 90) {
  const ended = program.ended.then(() => true);
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    const found = pattern.exec(program.output());
    if (found) return found;
    if (await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50, false))])) break;
  }
  throw new Error(`${pattern} was not printed:\n${program.output()}`);
}

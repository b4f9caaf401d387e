// Runs the steps of a release, and says how each went.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a step and says how long it took. A step that fails ends the release. */
export async function step(what, work) {
  const began = Date.now();
  try {
    const result = await work();
    console.error(`${what} ... ok, ${((Date.now() - began) / 1000).toFixed(1)} s`);
    return result;
  } catch (error) {
    console.error(`${what} ... FAILED`);
    throw error;
  }
}

/** Runs a program to its end and returns what it printed. */
export async function run([program, ...args], cwd, { env = process.env, seconds = 180 } = {}) {
  const options = { cwd, env, timeout: seconds * 1000, maxBuffer: 2 ** 27 };
  const { stdout } = await execute(program, args, options).catch(({ code, stdout, stderr }) => {
    throw Object.assign(new Error(`${program} ${args.join(" ")} exited with ${code}\n${stdout}${stderr}`), { code, stdout });
  });
  return stdout;
}

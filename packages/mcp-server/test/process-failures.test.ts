import { expect, it } from "vitest";
import { start } from "./spawned-bin.ts";

const FAILURES = [
  'setTimeout(() => process.emitWarning(["can", "ary"].join("")), 1500)',
  'setTimeout(() => { throw new RangeError(["can", "ary"].join("")) }, 2000)',
];

it("what Node would print as text while serving over HTTP is a line of the log, without its message", async () => {
  const load = `--import data:text/javascript,${encodeURIComponent(FAILURES.join(";"))}`;
  const { ended } = start(["http", "--sandbox", "--port", "0"], { FLEET_LOG: "info", NODE_OPTIONS: load });
  const { code, stderr } = await ended;
  const lines = stderr.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { version: expect.any(String), msg: expect.stringMatching(/^sandbox: /) },
    { msg: expect.stringMatching(/^console at /) },
    { msg: expect.stringMatching(/^ready at /) },
    { warning: "Warning", msg: "process warning" },
    { error: "RangeError", msg: "uncaught error", at: expect.arrayContaining([expect.stringMatching(/^at /)]) },
  ]);
  expect(code).toBe(1);
});

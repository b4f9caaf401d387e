import { afterEach, expect, it, vi } from "vitest";
import { deferredLog } from "../src/log.ts";
import type { ServerConfig } from "../src/server-config.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it.each<[ServerConfig["log"], string[]]>([
  ["debug", ["info", "warn", "error"]],
  ["info", ["info", "warn", "error"]],
  ["warn", ["warn", "error"]],
  ["error", ["error"]],
  ["silent", []],
])("a log of the level %s has lines of %j", (level, expected) => {
  const lines: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  const log = deferredLog(level);
  for (const line of ["info", "warn", "error"] as const) log[line]({ tool: "find" }, line);
  expect(lines.map((line) => JSON.parse(line))).toEqual(expected.map((msg) => expect.objectContaining({ msg, tool: "find" })));
});

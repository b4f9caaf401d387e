import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { daysOption, hostOption, portOption } from "../../src/cli/http-options.ts";
import { EXIT_USAGE, fail, forTerminal, notify, print, printErrorsAsJson, printFailure } from "../../src/cli/print.ts";

let printed: [stream: string, text: unknown][] = [];

beforeEach(() => {
  printed = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(["stdout", text]) > 0);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(["stderr", text]) > 0);
});

afterEach(() => {
  printErrorsAsJson(false);
  process.exitCode = undefined;
});

it.each([
  ["a\tb\nc", "a\tb\nc"],
  ["\u001b[2J", "\\u001b[2J"],
  ["a\u202eb\u2066", "a\\u202eb\\u2066"],
  ["\u{e0041}", "\\udb40\\udc41"],
  ["Zürich \u{1f69a}", "Zürich \u{1f69a}"],
])("a terminal gets %j as %j", (text, shown) => {
  expect(forTerminal(text)).toBe(shown);
});

describe("is printed", () => {
  it("a result, to stdout", () => {
    print("a\u0007");
    expect(printed).toEqual([["stdout", "a\\u0007\n"]]);
  });

  it("what stderr cannot take is lost, without an end of the process", () => {
    notify("first");
    const listening = process.stderr.listenerCount("error");
    notify("second");
    expect(listening).toBeGreaterThan(0);
    expect(process.stderr.listenerCount("error")).toBe(listening);
  });

  it("a notice, to stderr in one line", () => {
    notify("first \n  second\nthird");
    expect(printed).toEqual([["stderr", "fleetwire-mcp: first second third\n"]]);
  });

  const failure = { ok: false, text: "No vehicle", structured: { error: { code: "notFound" } } } as never;
  it.each([
    [false, ""],
    [true, '{\n  "ok": false,\n  "code": "notFound",\n  "error": "No vehicle"\n}\n'],
  ])("a failed call; as JSON too: %s", (asJson, json) => {
    printErrorsAsJson(asJson);
    printFailure(failure);
    expect(printed).toEqual([...(asJson ? [["stdout", json]] : []), ["stderr", "No vehicle\n"]]);
    expect(process.exitCode).toBe(1);
  });

  it("an error, without JSON unless it is wanted", () => {
    vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    expect(() => fail("no such verb", EXIT_USAGE)).not.toThrow();
    expect(printed).toEqual([["stderr", "fleetwire-mcp: no such verb\n"]]);
    expect(process.exit).toHaveBeenCalledWith(2);
  });

  it.each([
    [undefined, "usage"],
    ["config", "config"],
  ])("an error, which ends the process; code %s", (code, shown) => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    printErrorsAsJson(true);
    expect(() => fail("no such verb", 2, code)).not.toThrow();
    expect(printed).toEqual([
      ["stdout", `{\n  "ok": false,\n  "code": "${shown}",\n  "error": "no such verb"\n}\n`],
      ["stderr", "fleetwire-mcp: no such verb\n"],
    ]);
    expect(exit).toHaveBeenCalledWith(2);
  });
});

describe("an option", () => {
  it("has a default: this machine, on port 4020", () => {
    expect([hostOption().defaultValue, portOption().defaultValue]).toEqual(["127.0.0.1", 4020]);
  });

  it.each<[ReturnType<typeof portOption>, string, number | RegExp]>([
    [portOption(), "0", 0],
    [portOption(), "65535", 65_535],
    [portOption(), "65536", /from 0 to 65535/],
    [portOption(), "-1", /from 0 to 65535/],
    [portOption(), "1e3", /from 0 to 65535/],
    [portOption(), "", /from 0 to 65535/],
    [daysOption(), "1", 1],
    [daysOption(), "99999", 99_999],
    [daysOption(), "0", /at least 1/],
    [daysOption(), "100000", /at least 1/],
    [daysOption(), "1.5", /at least 1/],
  ])("%# with the value %s: %s", ({ parseArg }, text, value) => {
    const parse = () => parseArg?.(text, undefined as never);
    if (value instanceof RegExp) expect(parse).toThrow(value);
    else expect(parse()).toBe(value);
  });
});

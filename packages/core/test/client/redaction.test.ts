import { describe, expect, it } from "vitest";
import { createKnownSecrets } from "../../src/client/known-secrets.ts";
import { printable, truncate } from "../../src/client/printable-text.ts";
import { redactor } from "../../src/client/redaction.ts";
import type { Operation } from "../../src/operation.ts";

const redacted = (text: string, ...secrets: string[]) => redactor(() => secrets)(text);
const utf16 = (text: string, form: (hex: string) => string) => Array.from(text, (unit) => form(unit.charCodeAt(0).toString(16))).join("");
const SECRET = "Zx9+Qw/7?Lm_2-k";

describe("what is redacted", () => {
  it.each<[string, string, string[], string]>([
    ["no text", "", [SECRET], ""],
    ["no secret", "a b", [], "a b"],
    ["a secret of three characters", "abc", ["abc"], "abc"],
    ["a secret of four characters", "x abcd y", ["abcd"], "x [redacted] y"],
    ["in another case", "x ABCD y", ["abcd"], "x [redacted] y"],
    ["twice", "abcd abcd", ["abcd"], "[redacted] [redacted]"],
    ["two secrets side by side", "abcdefgh", ["abcd", "efgh"], "[redacted]"],
    ["two secrets apart", "abcd, efgh", ["abcd", "efgh"], "[redacted], [redacted]"],
    ["at the end", "x abcd", ["abcd"], "x [redacted]"],
    ["eight consecutive characters of a longer secret", "x bcdefghi y", ["abcdefghij"], "x [redacted] y"],
    ["seven of them are not", "x bcdefgh y", ["abcdefghij"], "x bcdefgh y"],
    ["the beginning, where the text ends", "x abcd", ["abcdefghij"], "x [redacted]"],
    ["the beginning, at an ellipsis", "x abcdefg… y", ["abcdefghij"], "x [redacted]… y"],
    ["the beginning, at three dots", "x abcde... y", ["abcdefghij"], "x [redacted]... y"],
    ["the beginning, at two dots", "x abcde.. y", ["abcdefghij"], "x [redacted].. y"],
    ["the beginning, at a mask", "x abcde*** y", ["abcdefghij"], "x [redacted]*** y"],
    ["the beginning, before a space and an ellipsis", "x abcde … y", ["abcdefghij"], "x [redacted] … y"],
    ["the beginning, before one dot", "x abcde. y", ["abcdefghij"], "x abcde. y"],
    ["the beginning, of three characters", "x abc...", ["abcdefghij"], "x abc..."],
    ["the beginning, alone", "abcde…", ["abcdefghij"], "[redacted]…"],
    ["the beginning, in another case", "x abcde…", ["ABCDEFGHIJ"], "x [redacted]…"],
    ["base64 of a short secret, after another byte", "eGFiY2Rl", ["abcde"], "eG[redacted]"],
    ["the beginning of a secret of four", "x abc", ["abcd"], "x abc"],
    ["the beginning of a secret of five", "x abcd", ["abcde"], "x [redacted]"],
    ["the middle, where the text ends", "x cdefg", ["abcdefghij"], "x cdefg"],
    ["base64 alphabets are one", "x ab+/cdef y", ["ab-_cdef"], "x [redacted] y"],
    ["an encoded form of five characters is too short", "x YWJjZA y", ["abcd"], "x YWJjZA y"],
    ["an encoded form of six characters", "x YWJjZGU y", ["abcde"], "x [redacted]U y"],
    ["hex", "x 61626364 y", ["abcd"], "x [redacted] y"],
    ["hex with leading zeros", "x 0162630a y", ["\u0001bc\n"], "x [redacted] y"],
    ["percent-encoded", "x a%2Fb%3Fc y", ["a/b?c"], "x [redacted] y"],
    ["form-encoded", "x a+b%7Ec y", ["a b~c"], "x [redacted] y"],
    ["JSON-escaped", 'x a\\"bc\\n y', ['a"bc\n'], "x [redacted] y"],
    ["with a lone surrogate", "x abc%EF%BF%BD y", ["abc\ud800"], "x [redacted] y"],
  ])("%s", (_, text, secrets, shown) => {
    expect(redacted(text, ...secrets)).toBe(shown);
  });

  it.each([0, 1, 2, 3])("base64 after %d other bytes", (before) => {
    const text = Buffer.from(`${"x".repeat(before)}${SECRET}yz`).toString("base64");
    const shown = redacted(`: ${text} .`, SECRET);
    expect(shown).toMatch(/^: \S{0,4}\[redacted\]\S{0,6} \.$/);
  });

  it("everything, if a secret is too long to search for", () => {
    expect(redacted("any text", "s".repeat(20_001))).toBe("[redacted]");
    expect(redacted("any text", "s".repeat(20_000))).toBe("any text");
  });

  it.each<[string, (secret: string) => string]>([
    ["percent-encoded twice", (secret) => encodeURIComponent(utf16(secret, (hex) => `%${hex}`))],
    ["with \\u escapes", (secret) => utf16(secret, (hex) => `\\u${hex.padStart(4, "0")}`)],
    ["with \\u{} escapes", (secret) => utf16(secret, (hex) => `\\u{${hex}}`)],
    ["with \\x escapes", (secret) => utf16(secret, (hex) => `\\x${hex.padStart(2, "0")}`)],
    ["with hexadecimal references", (secret) => utf16(secret, (hex) => `&#x${hex};`)],
    ["with decimal references", (secret) => Array.from(secret, (unit) => `&#${unit.charCodeAt(0)};`).join("")],
    ["with references three times over", (secret) => Array.from(secret, (unit) => `&#38;#38;#${unit.charCodeAt(0)};`).join("")],
    ["with entities between", (secret) => [...secret].join("&nbsp;")],
    ["with escapes between", (secret) => [...secret].join("\\n")],
    ["spaced out", (secret) => [...secret].join(" ")],
    ["with its characters percent-encoded, spaced out", (secret) => utf16(secret, (hex) => `%${hex} `)],
    ["with references to no character between", (secret) => [...secret].join("&#9999999;")],
    ["in capitals, spaced out", (secret) => [...secret.toUpperCase()].join(" ")],
    ["in full-width letters", (secret) => Array.from(secret, (unit) => String.fromCharCode(unit.charCodeAt(0) + 0xfee0)).join("")],
  ])("the whole text around a secret %s", (_, copy) => {
    expect(redacted(`x ${copy("canary4711secret")} y`, "canary4711secret")).toBe("[redacted]");
  });

  it("the whole text around a secret with punctuation, even without it", () => {
    expect(redacted("x C a n a r y 4 7 1 1 y", "Canary-47/11")).toBe("[redacted]");
  });

  it("the whole text around a secret of eight letters and digits, but not of seven", () => {
    expect(redacted("a b c d e f g h", "abcdefgh")).toBe("[redacted]");
    expect(redacted("a b c d e f g", "abcdefg")).toBe("a b c d e f g");
  });

  it.each(["&#99999999; &#1114112; \\u{110000} %zz", "\\u{10ffff} &#x10ffff; &#1114111;"])(
    "not what only looks like an escape: %s",
    (text) => {
      expect(redacted(text, SECRET)).toBe(text);
    },
  );

  it("a secret that was not known before, or is no longer", () => {
    let secrets = ["canary-one"];
    const redact = redactor(() => secrets);
    expect(redact("canary-one, bananas-two")).toBe("[redacted], bananas-two");
    secrets = ["bananas-two"];
    expect(redact("canary-one, bananas-two")).toBe("canary-one, [redacted]");
    secrets = ["bananas-two", "canary-one"];
    expect(redact("canary-one, bananas-two")).toBe("[redacted], [redacted]");
  });
});

it("text from the service fits on one line of 300 characters", () => {
  const same = (text: string) => text;
  expect(printable(" a\n\u0000\u200b\u2028b ", same)).toBe("a b");
  expect(printable("x".repeat(300), same)).toBe("x".repeat(300));
  expect(printable("x".repeat(301), same)).toBe(`${"x".repeat(300)}…`);
  const read: number[] = [];
  printable("x".repeat(3_000), (text) => {
    read.push(text.length);
    return text;
  });
  expect(read).toEqual([2_000]);
  expect(truncate("ab\u{1f69a}", 3)).toBe("ab…");
  expect(truncate("ab\u{1f69a}", 4)).toBe("ab\u{1f69a}");
});

describe("known secrets", () => {
  const issuing = { secretOutput: ["token.value", "other"] } as unknown as Operation;

  it("include what the service sent, once, the latest first", () => {
    const secrets = createKnownSecrets(() => ["own"]);
    secrets.remember({} as Operation, { token: { value: "ignored" } });
    secrets.remember(issuing, { token: { value: "a" } });
    secrets.remember(issuing, { token: { value: "b" }, other: 5 });
    secrets.remember(issuing, { token: { value: "a" } });
    secrets.remember(issuing, undefined);
    expect(secrets.list()).toEqual(["own", "a", "b"]);
  });

  it("are at most sixteen in addition to the client's own", () => {
    const secrets = createKnownSecrets(() => ["own"]);
    for (let at = 0; at < 20; at++) secrets.remember(issuing, { other: `s${at}` });
    expect(secrets.list()).toEqual(["own", ...Array.from({ length: 16 }, (_, at) => `s${19 - at}`)]);
  });
});

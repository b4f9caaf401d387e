import { describe, expect, it } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { CALLS, scriptOf } from "./every-tool.ts";
import { run } from "./run-program.ts";
import { environmentOf, serverUnderTest, structuredOf } from "./server-under-test.ts";

/** Characters that act on a terminal, hide from a reader or are not valid Unicode. JSON.stringify escapes lone surrogates. */
const INVISIBLE: Record<string, string> = {
  "C0 controls": "\u0000\u0007\u001b[2J",
  "line breaks and tabs": "\n\t\r\n",
  DEL: "\u007f",
  "C1 controls": "\u0085\u009b1A",
  "direction marks": "\u061c\u200e\u200f",
  "bidi controls": "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
  "tag characters": [..."update_group"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(""),
  "bytes in variation selectors": "❤\ufe0f\ufe01\u{e0101}\u{e0102}",
  "line separators": "\u2028\u2029",
  "zero-width spaces and joiners": "\u200b\u2060\ufeffa\u200db\u200cc",
  "soft hyphens": "\u00ad",
  "Hangul fillers": "\u3164\u115f\u1160\uffa0",
  "blank Braille": "\u2800",
  "lone surrogates": "\ud83d \udc00",
};
const ACTS =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\u{e0000}-\u{e00ff}]|[a-z][\u200c\u200d]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}/u;

/** Every text in a value, names of members included. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

const expectNoneInvisible = (texts: readonly string[]) => expect(texts.filter((text) => ACTS.test(text))).toEqual([]);

/** Only the text of a result has lines. */
const linesOf = (content: readonly { type: string; text?: string }[]) => content.flatMap(({ text = "" }) => text.split("\n"));

describe.each(["auto", "legacy"] as const)("no invisible characters are sent, revision %s", (mode) => {
  it.each(Object.entries(INVISIBLE))("%s", async (_, invisible) => {
    const text = `Truck${invisible} 12`;
    const script = scriptOf(text);
    const jobs = { jobs: [{ jobNumber: "J1", [text]: text, inner: { [text]: [text] } }], [text]: text };
    const server = await serverUnderTest({ script: { ...script, listJobs: () => ({ body: jobs }) }, mode });
    const { client, call } = server;
    const calls: [string, Record<string, unknown>][] = [
      ...CALLS,
      ["list_jobs", { fields: ["inner"] }],
      ["create_job", { address: "Lyon", dryRun: true, notes: text }],
      ["locate_vehicle", { query: text }],
    ];
    for (const [name, args] of calls) {
      const { structuredContent, content } = await call(name, args);
      expectNoneInvisible(textsIn(structuredContent));
      expectNoneInvisible(linesOf(content as { type: string }[]));
    }
    const { contents } = await client.readResource({ uri: "fleet://vehicle/v1" });
    for (const part of contents) {
      const record = "text" in part ? part.text : "";
      expectNoneInvisible([record]);
      expectNoneInvisible(textsIn(JSON.parse(record)));
    }
    const { messages } = await client.getPrompt({ name: "where_is", arguments: { vehicle: text } });
    expectNoneInvisible(messages.flatMap(({ content }) => (content.type === "text" ? content.text.split("\n") : [])));
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "where_is" },
      argument: { name: "vehicle", value: "truck" },
    });
    expectNoneInvisible(completion.values);
    const failure = await client.readResource({ uri: `fleet://vehicle/${encodeURIComponent("none")}` }).catch(({ message }) => message);
    expectNoneInvisible([String(failure)]);
  });
});

it("hidden characters are escaped, and emoji stay unchanged", async () => {
  const { call } = await serverUnderTest({
    script: { listJobs: () => ({ body: [{ a: "pay\u202e\u{e0041} 👩\u200d🚒 ❤\ufe0f", "k\u2066": 1 }] }) },
  });
  expect(structuredOf(await call("list_jobs")).items).toEqual([{ a: "pay\\u{202e}\\u{e0041} 👩\u200d🚒 ❤\ufe0f", k: 1 }]);
});

it("a result that grows by its escapes still fits the budget", async () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({ id: `${index}`, text: "\u202e".repeat(300) }));
  const { call } = await serverUnderTest({ script: { listJobs: () => ({ body: rows }) }, env: { FLEET_MAX_RESULT_TOKENS: "2000" } });
  const { structuredContent, isError } = await call("list_jobs", { fields: ["id", "text"] });
  expect(isError).toBeUndefined();
  expect(JSON.stringify(structuredContent).length / 4).toBeLessThan(2_000);
});

it.each(["--json", "--log=silent"])("a terminal gets none either: call list_jobs %s", async (flag) => {
  const text = Object.values(INVISIBLE).join("x");
  const { origin } = await fleetService({ listJobs: () => ({ body: [{ jobNumber: "J1", [text]: text }] }) });
  const { code, stdout, stderr } = await run(["call", "list_jobs", flag], environmentOf(origin));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expectNoneInvisible(stdout.split("\n"));
  if (flag === "--json") expectNoneInvisible(textsIn(JSON.parse(stdout)));
});

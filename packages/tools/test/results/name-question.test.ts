import { expect, it } from "vitest";
import { questionResult, type UnresolvedName } from "../../src/names/name-question.ts";

const candidate = (name: string) => ({ label: `${name} (id)`, record: { name } });
const named = (...names: string[]) => ({ total: names.length, candidates: names.map(candidate) });

const QUESTION = { field: "vehicle", query: "truck", noun: ["vehicle", "vehicles"], distinguishedBy: "registration" } as const;

const ASK = "Ask the user, then call again with the full name or the text in brackets as vehicle.";

it.each<[why: string, Partial<UnresolvedName>, question: string, note: string, shown: string[]]>([
  ["several", { result: "ambiguous", ...named("A", "B") }, '2 vehicles match "truck". Which one: A (id); B (id)?', ASK, ["A", "B"]],
  [
    "up to eight",
    { result: "ambiguous", ...named(..."ABCDEFGH") },
    '8 vehicles match "truck". Which one: A (id); B (id); C (id); D (id); E (id); F (id); G (id); H (id)?',
    ASK,
    [..."ABCDEFGH"],
  ],
  [
    "the first four of more",
    { result: "ambiguous", ...named(..."ABCDEFGH"), total: 9 },
    '9 vehicles match "truck". Which one: A (id); B (id); C (id); D (id); and 5 more?',
    ASK,
    [..."ABCD"],
  ],
  ["one alike", { result: "notFound", ...named("A") }, 'No vehicle matches "truck". Did you mean A (id)?', ASK, ["A"]],
  [
    "some alike",
    { result: "notFound", ...named("A", "B"), remark: "AB 1 is the registration of A." },
    'No vehicle matches "truck". AB 1 is the registration of A. Did you mean one of these: A (id); B (id)?',
    ASK,
    ["A", "B"],
  ],
  [
    "none alike",
    { result: "notFound", ...named(), alternative: "Or omit it." },
    'No vehicle matches "truck". What is the registration?',
    "Ask the user, then call again with it as vehicle. Or omit it.",
    [],
  ],
  [
    "a long name",
    { result: "notFound", ...named(), query: `x\n${"y".repeat(90)}` },
    `No vehicle matches "x ${"y".repeat(57)}…". What is the registration?`,
    "Ask the user, then call again with it as vehicle.",
    [],
  ],
])("asks about %s", (_, unresolved, question, note, shown) => {
  const { text, structured } = questionResult({ ...QUESTION, ...unresolved } as UnresolvedName, "read")(5_000);
  const { result, total } = unresolved;
  expect(text).toBe(`${question} ${note}`);
  expect(structured).toEqual({
    ...{ result, field: "vehicle", question, note, candidates: shown.map((name) => ({ name })) },
    ...(result === "ambiguous" && { total }),
  });
});

it("says before a write that nothing was sent, and names only as many as fit the budget", () => {
  const unresolved: UnresolvedName = { ...QUESTION, result: "ambiguous", ...named("A".repeat(60), "B".repeat(60)) };
  const render = questionResult(unresolved, "update");
  expect(render(5_000).text).toContain(" Nothing was sent. Ask the user");
  expect(render(225).text).toContain(`Which one: ${"A".repeat(60)} (id); and 1 more?`);
  expect(render(10).text).toContain("What is the registration? Nothing was sent.");
});

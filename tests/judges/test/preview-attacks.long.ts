import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Direct, direct } from "./direct.ts";
import { TOKEN } from "./expected.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import { fieldShown, PREVIEW_ATTACKS, readBack, saysLength, UNSEEN } from "./preview-attacks.ts";
import type { Reply } from "./session.ts";

/** Longer texts may be truncated in the preview. */
const LONGEST_SHOWN = 1_000;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet();
});

afterAll(() => fleet.stop());

type Args = Readonly<Record<string, string>>;

/** What a call shows before it sends anything, and what it then sends; no preview if the arguments are refused. */
type Way = (host: Direct, args: Args) => Promise<{ preview?: string[]; shown: string }>;

const question: Way = async (host, args) => {
  const before = host.questions.length;
  const { seen } = await host.call("create_job", args);
  const [text] = host.questions.slice(before);
  return text === undefined ? { shown: seen } : { preview: text.split("\n"), shown: text };
};

const preview: Way = async (host, args) => {
  const { seen, text, record } = await host.call("create_job", args);
  const confirmation = TOKEN.exec(seen)?.[0];
  if (confirmation === undefined) return { shown: seen };
  await host.call("create_job", { ...args, confirmation });
  const lines = record["preview"] as string[];
  return { preview: lines, shown: [text, ...lines].join("\n") };
};

const YES: Reply = { action: "accept", content: { confirm: true } };

let jobs = 0;

describe.each([
  { name: "the question to the user", way: question, reply: YES },
  { name: "the preview with a confirmation token", way: preview },
])("$name", ({ way, reply }) => {
  let host: Direct;

  beforeAll(async () => {
    host = await direct({ env: fleet.env, ...(reply && { reply }) });
  });

  afterAll(() => host?.close());

  it.each(PREVIEW_ATTACKS)("$name in $field", async ({ field, text }) => {
    jobs += 1;
    const jobNumber = `PREVIEW-${jobs}`;
    const { preview, shown } = await way(host, { address: "Preview Road 1, Lyon", jobNumber, [field]: text });
    expect(shown.replaceAll("\n", " ")).not.toMatch(UNSEEN);
    const created = await fleet.jobsWith("jobNumber", jobNumber);
    if (preview === undefined) {
      expect(created).toEqual([]);
      return;
    }
    const sent = String(created[0]?.[field]);
    const [line = "", ...others] = fieldShown(preview, field);
    if (sent.length <= LONGEST_SHOWN || readBack(line) === sent) expect(readBack(line)).toBe(sent);
    else expect(saysLength(line, sent)).toBe(true);
    // No other line looks like part of the preview.
    expect(others).toEqual([]);
    for (const other of ["vehicleName", "personName"]) expect(fieldShown(preview, other)).toEqual([]);
  });
});

describe("a dry run shows no invisible characters", () => {
  let host: Direct;

  beforeAll(async () => {
    host = await direct({ env: fleet.env });
  });

  afterAll(() => host?.close());

  it.each(PREVIEW_ATTACKS)("$name in $field", async ({ field, text }) => {
    const { text: shown } = await host.call("create_job", { address: "Dry Road 1, Lyon", [field]: text, dryRun: true });
    expect(shown.replaceAll("\n", " ")).not.toMatch(UNSEEN);
  });
});

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Question } from "./question.ts";
import { questionOf } from "./questions/index.ts";
import { plain } from "./read-answer.ts";
import { type Call, openSession, type Session } from "./session.ts";
import type { World } from "./world.ts";

export interface Transcript {
  question: string;
  calls: Call[];
  answer?: string;
  /** What the results of the calls showed, and what the answer lacked, when it was graded. */
  shown?: string[];
  wrong?: string[];
}

const FOLDER = fileURLToPath(new URL("transcripts", import.meta.url));
const fileOf = (sitting: string, id: string) => join(FOLDER, sitting, `${id}.json`);

/** The sittings that are kept. */
export const sittings = (): string[] =>
  existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name !== "draft" && !name.startsWith(".")) : [];

export function readTranscript(sitting: string, id: string): Transcript {
  const file = fileOf(sitting, id);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Transcript) : { question: id, calls: [] };
}

export function writeTranscript(sitting: string, transcript: Transcript): void {
  mkdirSync(join(FOLDER, sitting), { recursive: true });
  writeFileSync(fileOf(sitting, transcript.question), `${JSON.stringify(transcript, null, 2)}\n`);
}

export const transcriptsOf = (sitting: string): Transcript[] =>
  readdirSync(join(FOLDER, sitting))
    .filter((file) => file.endsWith(".json"))
    .map((file) => readTranscript(sitting, file.slice(0, -".json".length)));

/** Makes the calls that were made for a question once more. */
export async function repeat(session: Session, calls: readonly Call[]) {
  const repeated: { call: Call; text: string }[] = [];
  for (const { tool, arguments: args } of calls) repeated.push(await session.call(tool, args));
  return repeated;
}

interface Shared {
  session: Session;
  before: World;
}

const shared = new Map<string, Promise<Shared>>();

/** Questions that find the same world share a session, since starting one takes longer than most calls. */
function sessionFor({ world, setup }: Question): { opened: Promise<Shared>; drop(): void } {
  const key = JSON.stringify([world, setup]);
  const open = async () => {
    const session = await openSession({ ...(world && { world }), ...(setup && { setup }) });
    return { session, before: await session.read() };
  };
  const opened = shared.get(key) ?? open();
  shared.set(key, opened);
  return { opened, drop: () => shared.delete(key) };
}

/** A recorded answer against the truth and against what its calls return now. */
export async function check({ question: id, calls, answer }: Transcript) {
  const question = questionOf(id);
  const { opened, drop } = sessionFor(question);
  const { session, before } = await opened;
  const facts = question.truth(before);
  const repeated = await repeat(session, calls);
  const readsEffects = facts.some((fact) => fact.readsEffects);
  const given = { text: plain(answer ?? ""), after: readsEffects ? await session.read() : before };
  if (readsEffects || calls.some(({ arguments: args }) => "confirmation" in args)) {
    drop();
    await session.close();
  }
  const results = plain(repeated.map(({ text }) => text).join("\n"));
  return {
    /** Texts of results that were no refusals when recorded. */
    newlyRefused: repeated.filter(({ call }, index) => call.refused && !calls[index]?.refused).map(({ text }) => text),
    /** Facts that the results show, so that the answer can rest on them. */
    shown: facts.filter((fact) => fact.shows?.(results)).map(({ says }) => says),
    /** What the answer lacks. */
    wrong: answer === undefined ? ["no answer was recorded"] : facts.filter((fact) => !fact.holds(given)).map(({ says }) => says),
  };
}

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Question } from "./question.ts";
import { questionOf } from "./questions/index.ts";
import { plain } from "./read-answer.ts";
import { type Call, openSession, type Session } from "./session.ts";
import type { World } from "./world.ts";

interface Grade {
  /** What the results of the calls showed. */
  shown: string[];
  /** What the answer lacked. */
  wrong: string[];
}

export interface Transcript extends Partial<Grade> {
  question: string;
  calls: Call[];
  answer?: string;
}

const FOLDER = fileURLToPath(new URL("transcripts", import.meta.url));
const EXTENSION = ".jsonl";
const fileOf = (sitting: string, id: string) => join(FOLDER, sitting, `${id}${EXTENSION}`);

/**
 * What happened to a question, a line each in its file. Lines are only ever appended, so that several processes can take and grade the
 * exam at the same time without losing each other's work.
 */
type Line = { call: Call } | { answer: string } | { grade: Grade } | { restart: true };

/** The recorded sittings. */
export const sittings = (): string[] =>
  existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name !== "draft" && !name.startsWith(".")) : [];

function withLine(transcript: Transcript, line: Line): Transcript {
  const { question, calls } = transcript;
  if ("call" in line) return { ...transcript, calls: [...calls, line.call] };
  if ("answer" in line) return { question, calls, answer: line.answer };
  return "grade" in line ? { ...transcript, ...line.grade } : { question, calls: [] };
}

export function readTranscript(sitting: string, question: string): Transcript {
  const file = fileOf(sitting, question);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  return lines.map((line) => JSON.parse(line) as Line).reduce(withLine, { question, calls: [] });
}

export function appendLines(sitting: string, question: string, lines: readonly Line[]): void {
  mkdirSync(join(FOLDER, sitting), { recursive: true });
  appendFileSync(fileOf(sitting, question), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** Records a grade, unless it is already recorded or the question has been answered again since. */
export function recordGrade(sitting: string, graded: Transcript, grade: Grade): void {
  const now = readTranscript(sitting, graded.question);
  const isSame = now.answer === graded.answer && now.calls.length === graded.calls.length;
  const isKnown = JSON.stringify([now.shown, now.wrong]) === JSON.stringify([grade.shown, grade.wrong]);
  if (isSame && !isKnown) appendLines(sitting, graded.question, [{ grade }]);
}

export const transcriptsOf = (sitting: string): Transcript[] =>
  readdirSync(join(FOLDER, sitting))
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => readTranscript(sitting, file.slice(0, -EXTENSION.length)));

/** Repeats the calls that were made for a question. */
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

/** Questions about the same world share a session, since starting one takes longer than most calls. */
function sessionFor({ world, setup, rules }: Question): { opened: Promise<Shared>; drop(): void } {
  const key = JSON.stringify([world, setup, rules]);
  const open = async () => {
    const session = await openSession({ ...(world && { world }), ...(setup && { setup }), ...(rules && { rules }) });
    return { session, before: await session.read() };
  };
  const opened = shared.get(key) ?? open();
  shared.set(key, opened);
  return { opened, drop: () => shared.delete(key) };
}

/** Compares a recorded answer with the correct one, and with what its calls return now. */
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
    /** Texts of results that were not refusals when recorded. */
    newlyRefused: repeated.filter(({ call }, index) => call.refused && !calls[index]?.refused).map(({ text }) => text),
    /** Facts that the results show, on which the answer can be based. */
    shown: facts.filter((fact) => fact.shows?.(results)).map(({ says }) => says),
    /** What the answer lacks. */
    wrong: answer === undefined ? ["no answer was recorded"] : facts.filter((fact) => !fact.holds(given)).map(({ says }) => says),
  };
}

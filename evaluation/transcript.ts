import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { questionOf } from "./questions/index.ts";
import { plain } from "./read-answer.ts";
import { type Call, openSession, type Session } from "./session.ts";

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

export const sittings = (): string[] => (existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => !name.includes(".")) : []);

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

/** A recorded answer against the truth and against what its calls return now. */
export async function check({ question: id, calls, answer }: Transcript) {
  const question = questionOf(id);
  const session = await openSession(question);
  const facts = question.truth(await session.read());
  const replayed = await repeat(session, calls);
  const given = { text: plain(answer ?? ""), after: await session.read() };
  await session.close();
  const results = plain(replayed.map(({ text }) => text).join("\n"));
  return {
    /** Texts of results that were no refusals when recorded. */
    newlyRefused: replayed.filter(({ call }, index) => call.refused && !calls[index]?.refused).map(({ text }) => text),
    /** Facts that the results show, so that the answer can rest on them. */
    shown: facts.filter((fact) => fact.shows?.(results)).map(({ says }) => says),
    /** What the answer lacks. */
    wrong: answer === undefined ? ["no answer was recorded"] : facts.filter((fact) => !fact.holds(given)).map(({ says }) => says),
  };
}

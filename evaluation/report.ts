import { questionOf } from "./questions/index.ts";
import type { Transcript } from "./transcript.ts";

/** A confirmed write counts as one call with its preview. */
const callsOf = ({ calls }: Transcript) => calls.filter(({ arguments: args }) => !("confirmation" in args)).length;
const tokensOf = ({ calls }: Transcript) => calls.reduce((sum, { tokens }) => sum + tokens, 0);
const refusedOf = ({ calls }: Transcript) => calls.filter(({ refused }) => refused).length;
const isRight = ({ wrong }: Transcript) => wrong?.length === 0;

function row(name: string, graded: readonly Transcript[]): string[] {
  const sum = (of: (transcript: Transcript) => number) => graded.reduce((total, transcript) => total + of(transcript), 0);
  const right = graded.filter(isRight).length;
  const each = (total: number, digits: number) => (total / graded.length).toFixed(digits);
  return [
    name,
    ...[graded.length, right, graded.length - right].map(String),
    each(sum(callsOf), 2),
    each(sum(tokensOf), 0),
    String(sum(refusedOf)),
  ];
}

function grouped(graded: readonly Transcript[], group: (question: ReturnType<typeof questionOf>) => string): string[][] {
  const groups = new Map<string, Transcript[]>();
  for (const transcript of graded) {
    const name = group(questionOf(transcript.question));
    groups.set(name, [...(groups.get(name) ?? []), transcript]);
  }
  return [...groups].map(([name, members]) => row(name, members));
}

/** Right, wrong, calls and tokens by kind and by language, then what was wrong. */
export function report(graded: readonly Transcript[]): string {
  const head = ["", "questions", "right", "wrong", "calls each", "tokens each", "refused"];
  const kinds = grouped(graded, ({ kind }) => kind);
  const languages = grouped(graded, ({ language }) => language);
  const table = [head, ...kinds, [], ...languages, [], row("all", graded)];
  const widths = head.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const lines = table.map((cells) =>
    cells.map((cell, column) => (column ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[0] ?? 0))).join("  "),
  );
  const wrong = graded
    .filter((one) => !isRight(one))
    .map(({ question, wrong }) => `WRONG ${question}: ${wrong?.join("; ") ?? "not graded"}`);
  return [...wrong, ...(wrong.length ? [""] : []), ...lines].join("\n");
}

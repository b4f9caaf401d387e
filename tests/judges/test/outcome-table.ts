/** How many jobs were asked for and what became of them, of one way to ask. */
export interface OutcomeRow {
  asked: number;
  created: number;
  inferred: number;
  unknown: number;
  /** Refused, failed before anything was sent, or sent nothing. */
  refused: number;
  /** Callers that got no result. */
  unanswered: number;
  /** Jobs of those callers that exist, and those of them whose number is in the log. */
  unansweredJobs: number;
  inLog: number;
  doubled: number;
  untrue: number;
}

export const noOutcomes = (): OutcomeRow => ({
  asked: 0,
  created: 0,
  inferred: 0,
  unknown: 0,
  refused: 0,
  unanswered: 0,
  unansweredJobs: 0,
  inLog: 0,
  doubled: 0,
  untrue: 0,
});

const HEADINGS: Readonly<Record<keyof OutcomeRow, string>> = {
  asked: "asked for",
  created: "created",
  inferred: "inferred",
  unknown: "unknown",
  refused: "refused",
  unanswered: "no result",
  unansweredJobs: "of these exist",
  inLog: "number in log",
  doubled: "doubled",
  untrue: "reported untruly",
};

const columns = Object.keys(HEADINGS) as (keyof OutcomeRow)[];

export function totalOf(rows: Iterable<OutcomeRow>): OutcomeRow {
  const total = noOutcomes();
  for (const row of rows) for (const column of columns) total[column] += row[column];
  return total;
}

/** The rows by their names, and their sum, as one table. */
export function outcomeTable(rows: ReadonlyMap<string, OutcomeRow>): string {
  const all = new Map([...rows, ["all", totalOf(rows.values())]]);
  const widest = Math.max(...[...all.keys()].map(({ length }) => length));
  const line = (name: string, cells: readonly (string | number)[]) =>
    [name.padEnd(widest), ...cells.map((cell, at) => String(cell).padStart(HEADINGS[columns[at] ?? "asked"].length))].join("  ");
  return [
    line("", Object.values(HEADINGS)),
    ...[...all].map(([name, row]) =>
      line(
        name,
        columns.map((column) => row[column]),
      ),
    ),
  ].join("\n");
}

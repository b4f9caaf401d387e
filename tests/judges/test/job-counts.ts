/** Counts of requested jobs by outcome, for one way of killing. */
export interface JobCounts {
  requested: number;
  created: number;
  inferred: number;
  unknown: number;
  /** Refused, failed before sending, or sent nothing. */
  refused: number;
  /** Callers without a result. */
  withoutResult: number;
  /** Existing jobs of those callers, and how many have their number in the log. */
  existingWithoutResult: number;
  inLog: number;
  duplicated: number;
  misreported: number;
}

export const noCounts = (): JobCounts => ({
  requested: 0,
  created: 0,
  inferred: 0,
  unknown: 0,
  refused: 0,
  withoutResult: 0,
  existingWithoutResult: 0,
  inLog: 0,
  duplicated: 0,
  misreported: 0,
});

const HEADINGS: Readonly<Record<keyof JobCounts, string>> = {
  requested: "requested",
  created: "created",
  inferred: "inferred",
  unknown: "unknown",
  refused: "refused",
  withoutResult: "no result",
  existingWithoutResult: "of these exist",
  inLog: "number in log",
  duplicated: "duplicated",
  misreported: "misreported",
};

const columns = Object.keys(HEADINGS) as (keyof JobCounts)[];

export function totalOf(rows: Iterable<JobCounts>): JobCounts {
  const total = noCounts();
  for (const row of rows) for (const column of columns) total[column] += row[column];
  return total;
}

/** Formats the rows and their total as a table. */
export function countsTable(rows: ReadonlyMap<string, JobCounts>): string {
  const all = new Map([...rows, ["all", totalOf(rows.values())]]);
  const widest = Math.max(...[...all.keys()].map(({ length }) => length));
  const line = (name: string, cells: readonly (string | number)[]) =>
    [name.padEnd(widest), ...cells.map((cell, at) => String(cell).padStart(HEADINGS[columns[at] ?? "requested"].length))].join("  ");
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

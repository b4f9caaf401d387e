interface Labels {
  name: string;
  revision: string;
  transport: string;
  elicitation: string;
}

const HEAD = ["client", "revision", "transport", "elicitation", "outcome"];

class Row {
  readonly labels: Labels;
  private revisionSeen: string | undefined;
  private readonly outcomes: string[] = [];

  constructor(labels: Labels) {
    this.labels = labels;
  }

  /** The revision that the server saw. */
  spoke(revision: string | undefined): void {
    this.revisionSeen = revision;
  }

  /** Records the outcome of a step, even if it fails. */
  async shows(step: string, work: () => Promise<string>): Promise<void> {
    try {
      const outcome = await work();
      this.outcomes.push(`${step}: ${outcome}`);
    } catch (error) {
      this.outcomes.push(`${step}: FAILED`);
      throw error;
    }
  }

  cells(): string[] {
    const { name, revision, transport, elicitation } = this.labels;
    const count = new Map<string, number>();
    // Accepts without confirmation all have the same outcome, so they are counted instead of listed.
    for (const outcome of this.outcomes) {
      const shortened = outcome.replace(/^accept, confirm .*:/, "accept, not confirmed:");
      count.set(shortened, (count.get(shortened) ?? 0) + 1);
    }
    const outcomes = [...count].map(([outcome, times]) => (times === 1 ? outcome : `${outcome} (${times})`));
    return [name, this.revisionSeen ?? revision, transport, elicitation, outcomes.join("; ")];
  }
}

/** Formats the outcomes by client, revision, transport and elicitation as a table. */
export class Matrix {
  private readonly rows: Row[] = [];

  row(labels: Labels): Row {
    const row = new Row(labels);
    this.rows.push(row);
    return row;
  }

  printed(): string {
    const lines = [HEAD, ...this.rows.map((row) => row.cells())];
    const widths = HEAD.map((_, at) => Math.max(...lines.map((cells) => (cells[at] ?? "").length)));
    return `\n${lines.map((cells) => cells.map((cell, at) => (at < HEAD.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell)).join("  ")).join("\n")}\n`;
  }
}

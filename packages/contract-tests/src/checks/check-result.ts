export const checkNames = ["table", "client", "tool", "sandbox", "presence", "coverage"] as const;
export type CheckName = (typeof checkNames)[number];

/** One way in which something breaks the contract. */
export interface Finding {
  check: CheckName;
  /** The fixture or the operation that it was found by. */
  subject: string;
  /** In words that name the field. */
  problem: string;
}

/** Something that a check left out, and why. */
export interface Skip {
  check: CheckName;
  subject: string;
  reason: string;
}

export interface CheckResult {
  check: CheckName;
  /** How many things were checked. */
  checked: number;
  findings: Finding[];
  skips: Skip[];
}

/** A result by subjects: each is checked on its own, and what a check throws convicts it. With `bail` the first one that is convicted is the last. */
export async function checkEach<Subject extends { id: string }>(
  check: CheckName,
  subjects: readonly Subject[],
  problemsOf: (subject: Subject) => Promise<readonly string[] | { skipped: string }>,
  { bail = false }: { bail?: boolean | undefined } = {},
): Promise<CheckResult> {
  const result: CheckResult = { check, checked: 0, findings: [], skips: [] };
  for (const subject of subjects) {
    const problems = await problemsOf(subject).catch((error: unknown) => [
      `the check failed: ${error instanceof Error ? error.message : String(error)}`,
    ]);
    if ("skipped" in problems) {
      result.skips.push({ check, subject: subject.id, reason: problems.skipped });
    } else {
      result.checked++;
      result.findings.push(...problems.map((problem) => ({ check, subject: subject.id, problem })));
      if (bail && problems.length > 0) break;
    }
  }
  return result;
}

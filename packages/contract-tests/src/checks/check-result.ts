export const checkNames = ["interface", "client", "sandbox", "coverage"] as const;
export type CheckName = (typeof checkNames)[number];

/** One violation of the contract. */
export interface Finding {
  check: CheckName;
  /** The fixture or operation that revealed it. */
  subject: string;
  /** A message that names the field. */
  problem: string;
}

/** A subject that a check skipped, and why. */
export interface Skip {
  check: CheckName;
  subject: string;
  reason: string;
}

export interface CheckResult {
  check: CheckName;
  /** Number of subjects checked. */
  checked: number;
  findings: Finding[];
  skips: Skip[];
}

/** Checks each subject separately; if a check throws, its subject fails. With `bail`, stops at the first failure. */
export async function checkEach<Subject extends { id: string }>(
  check: CheckName,
  subjects: readonly Subject[],
  problemsOf: (subject: Subject) => Promise<readonly string[] | { skipped: string }>,
  { bail = false }: { bail?: boolean | undefined } = {},
): Promise<CheckResult> {
  const result: CheckResult = { check, checked: 0, findings: [], skips: [] };
  for (const subject of subjects) {
    const problems = await problemsOf(subject).catch((error: unknown) => [
      `the check threw: ${error instanceof Error ? error.message : String(error)}`,
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

export const checkNames = ["interface", "client", "sandbox", "coverage"] as const;
export type CheckName = (typeof checkNames)[number];

export interface CheckResult {
  check: CheckName;
  /** Number of subjects checked. */
  checked: number;
  /** Violations of the contract: the fixture or operation that revealed it, and a message that names the field. */
  findings: { check: CheckName; subject: string; problem: string }[];
  /** Subjects that were skipped, and why. */
  skips: { check: CheckName; subject: string; reason: string }[];
}

/** Checks each subject separately; if a check throws, its subject fails. */
export async function checkEach<Subject extends { id: string }>(
  check: CheckName,
  subjects: readonly Subject[],
  problemsOf: (subject: Subject) => Promise<readonly string[] | { skipped: string }>,
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
    }
  }
  return result;
}

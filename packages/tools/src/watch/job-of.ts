import type { Row } from "../query/list-result.ts";
import { singleLine } from "../text/clip-values.ts";

/** What identifies a job, and its vehicle. Some services send numbers. */
export function jobOf(job: Row): { id: string | undefined; number: string | undefined; vehicleId: string | undefined } {
  const [id, number, vehicleId] = [job["jobId"], job["jobNumber"], job["vehicleId"]].map((value) =>
    (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined,
  );
  return { id, number, vehicleId };
}

export function jobLabel(job: Row): string {
  const { id, number } = jobOf(job);
  return `Job ${singleLine(number ?? id ?? "without a number", 60)}`;
}

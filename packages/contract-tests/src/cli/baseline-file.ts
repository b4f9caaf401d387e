import { existsSync, readFileSync } from "node:fs";
import { DriftBaseline } from "../deployment/index.ts";
import { jsonOf } from "../json-values.ts";
import { CouldNotRun } from "./print.ts";

/** Reads accepted drift. With `mayBeMissing`, a file that does not exist accepts nothing. */
export function readDriftBaseline(file: string, mayBeMissing: boolean): DriftBaseline {
  if (!existsSync(file)) {
    if (mayBeMissing) return { accepted: [] };
    throw new CouldNotRun(`the baseline ${file} does not exist: create it with --update-baseline`);
  }
  const content = jsonOf(readFileSync(file, "utf8"));
  if (content === undefined) throw new CouldNotRun(`the baseline ${file} is not a JSON file`);
  const { success, data, error } = DriftBaseline.safeParse(content);
  if (success) return data;
  const [issue] = error.issues;
  throw new CouldNotRun(`the baseline ${file} is invalid: ${issue?.path.join(".")}: ${issue?.message}`);
}

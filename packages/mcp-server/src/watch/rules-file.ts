import { readFileSync } from "node:fs";
import { FleetError } from "@fleetwire/core";
import type { WatchRules } from "@fleetwire/tools/watch";

const MAX_BYTES = 10 * 1024 * 1024;

function read(path: string): string {
  try {
    const text = readFileSync(path, "utf8");
    if (text.length <= MAX_BYTES) return text;
  } catch {
    throw new FleetError("config", `--rules ${path}: cannot be read`, { advice: "Name a file that this user can read" });
  }
  throw new FleetError("config", `--rules ${path}: is larger than 10 MB`);
}

function parse(path: string, text: string): WatchRules {
  try {
    return JSON.parse(text) as WatchRules;
  } catch {
    throw new FleetError("input", `--rules ${path}: is not JSON`, {
      advice: 'Write rules such as {"rules": [{"id": "start", "when": "starts"}]}',
    });
  }
}

/**
 * Returns a function that reads the rules again whenever the file has changed. A file that cannot be read or parsed then leaves them as they are:
 * `report` is called with the reason, and with undefined once it is well again.
 */
export function rulesFile(path: string, report: (problem: string | undefined) => void): () => WatchRules {
  let text = read(path);
  let rules = parse(path, text);
  let before: string | undefined;
  const readAgain = () => {
    try {
      const next = read(path);
      if (next !== text) rules = parse(path, next);
      text = next;
      return undefined;
    } catch (error) {
      return `${(error as FleetError).message}; the rules before stay`;
    }
  };
  return () => {
    const problem = readAgain();
    if (problem !== before) report(problem);
    before = problem;
    return rules;
  };
}

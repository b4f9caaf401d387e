import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@fleetwire/core/internal";
import { fixtureText } from "../fixtures/fixture.ts";
import { writeAtomically } from "../write-atomically.ts";
import type { CheckResult, Finding } from "./check-result.ts";

/** Every non-empty path in a JSON value, such as `items[].faults[].code`, with one of its values. */
export function pathsIn(value: unknown, path = "", paths = new Map<string, unknown>()): Map<string, unknown> {
  if (Array.isArray(value)) for (const item of value) pathsIn(item, `${path}[]`, paths);
  else if (isRecord(value))
    for (const [name, inner] of Object.entries(value)) pathsIn(inner, path === "" ? name : `${path}.${name}`, paths);
  else if (value !== undefined && value !== null) paths.set(path, value);
  return paths;
}

/**
 * The same paths as strings, with a question mark after any field that some objects lack: in `[].details?.fmi` some records have no details, but all
 * details have `fmi`.
 */
export function presenceOf(value: unknown): string[] {
  const objects = new Map<string, number>();
  const members = new Map<string, Map<string, number>>();
  const count = (inner: unknown, path: string): void => {
    if (Array.isArray(inner)) for (const item of inner) count(item, `${path}[]`);
    if (!isRecord(inner)) return;
    objects.set(path, (objects.get(path) ?? 0) + 1);
    const names = members.get(path) ?? new Map<string, number>();
    members.set(path, names);
    for (const [name, value] of Object.entries(inner)) {
      if (value === undefined || value === null) continue;
      names.set(name, (names.get(name) ?? 0) + 1);
      count(value, path === "" ? name : `${path}.${name}`);
    }
  };
  count(value, "");

  const marked = (path: string): string => {
    // Finds the innermost object with a field on this path, and the field's name, since list items have none.
    const parts = path.split(".");
    return parts
      .map((part, at) => {
        const name = part.replaceAll("[]", "");
        if (name === "") return part;
        const holder = parts.slice(0, at).join(".");
        const always = (members.get(holder)?.get(name) ?? 0) === (objects.get(holder) ?? 0);
        return always ? part : part.replace(name, `${name}?`);
      })
      .join(".");
  };
  return [...pathsIn(value).keys()].map(marked).sort();
}

/** The paths in each response when last reviewed. Nearly all fields are optional, so no schema detects that one has vanished. */
export type Baseline = Record<string, { sandbox?: string[] }>;

const fileIn = (folder: string) => join(folder, "presence.json");

export function readBaseline(folder: string): Baseline {
  return existsSync(fileIn(folder)) ? (JSON.parse(readFileSync(fileIn(folder), "utf8")) as Baseline) : {};
}

export function writeBaseline(folder: string, baseline: Baseline): void {
  writeAtomically(new Map([[fileIn(folder), fixtureText(baseline)]]));
}

/** The paths in the sandbox's current responses. */
export function baselineOf(responses: ReadonlyMap<string, unknown>): Baseline {
  const paths = [...responses].map(([id, body]) => [id, presenceOf(body)] as const);
  return Object.fromEntries(paths.flatMap(([id, sandbox]) => (sandbox.length > 0 ? [[id, { sandbox }]] : [])));
}

const bare = (path: string) => path.replaceAll("?", "");

/** Fields that have vanished since the baseline, from all records or from some. */
function vanished(before: readonly string[], now: readonly string[]): string[] {
  const current = new Map(now.map((path) => [bare(path), path]));
  return before.flatMap((path) => {
    const found = current.get(bare(path));
    if (found === undefined) return [`${bare(path)} has vanished from the output of the sandbox`];
    return found.includes("?") && !path.includes("?") ? [`${bare(path)} has vanished from some records in the output of the sandbox`] : [];
  });
}

const NO_BASELINE: Finding = {
  check: "presence",
  subject: "presence.json",
  problem: "there is no baseline yet: run replay with --update-presence, and review it",
};

/** Every response still has the fields of its baseline, every response has a baseline, and every baseline has a fixture and a response. */
export function checkPresence(recorded: Baseline, current: Baseline, fixtures: ReadonlySet<string>): CheckResult {
  if (Object.keys(recorded).length === 0) return { check: "presence", checked: 0, findings: [NO_BASELINE], skips: [] };
  const findings: Finding[] = [];
  for (const id of fixtures) {
    const [before, now] = [recorded[id]?.sandbox ?? [], current[id]?.sandbox];
    if (now === undefined) {
      if (before.length > 0) findings.push({ check: "presence", subject: id, problem: "the sandbox no longer returns any output" });
      continue;
    }
    const problems =
      before.length === 0
        ? ["the output of the sandbox has no baseline: run replay --update-presence and review it"]
        : vanished(before, now);
    findings.push(...problems.map((problem): Finding => ({ check: "presence", subject: id, problem })));
  }
  for (const id of Object.keys(recorded))
    if (!fixtures.has(id)) findings.push({ check: "presence", subject: id, problem: "the baseline has no fixture with this name" });
  return { check: "presence", checked: fixtures.size, findings, skips: [] };
}

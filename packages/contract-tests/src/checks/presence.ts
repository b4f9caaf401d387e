import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@fleetwire/core";
import { fixtureText } from "../fixtures/fixture.ts";
import { writeAtomically } from "../write-atomically.ts";
import type { CheckResult, Finding } from "./check-result.ts";

/** Every place in a JSON value that holds something, such as `items[].faults[].code`, with one of its values. */
export function placesIn(value: unknown, path = "", places = new Map<string, unknown>()): Map<string, unknown> {
  if (Array.isArray(value)) for (const item of value) placesIn(item, `${path}[]`, places);
  else if (isRecord(value))
    for (const [name, inner] of Object.entries(value)) placesIn(inner, path === "" ? name : `${path}.${name}`, places);
  else if (value !== undefined && value !== null) places.set(path, value);
  return places;
}

/**
 * The same places as texts, in which a question mark follows what not every object has: `[].speed?` is missing from some records, and of
 * `[].details?.fmi` every one that has details has it.
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
    for (const [name, held] of Object.entries(inner)) {
      if (held === undefined || held === null) continue;
      names.set(name, (names.get(name) ?? 0) + 1);
      count(held, path === "" ? name : `${path}.${name}`);
    }
  };
  count(value, "");

  const marked = (path: string): string => {
    // The innermost object that a place lies in, and the name there: lists have no names of their own.
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
  return [...placesIn(value).keys()].map(marked).sort();
}

/** What an answer held when it was last looked at: nearly all fields are optional, so no schema sees one vanish. */
export type Baseline = Record<string, { sandbox?: string[]; tool?: string[] }>;

const fileIn = (folder: string) => join(folder, "presence.json");

export function readBaseline(folder: string): Baseline {
  return existsSync(fileIn(folder)) ? (JSON.parse(readFileSync(fileIn(folder), "utf8")) as Baseline) : {};
}

export function writeBaseline(folder: string, baseline: Baseline): void {
  writeAtomically(new Map([[fileIn(folder), fixtureText(baseline)]]));
}

/** The places that answers hold now. */
export function baselineOf(outputs: Readonly<Record<"sandbox" | "tool", ReadonlyMap<string, unknown>>>): Baseline {
  const baseline: Baseline = {};
  for (const who of ["sandbox", "tool"] as const) {
    for (const [id, answer] of outputs[who]) {
      const places = presenceOf(answer);
      if (places.length > 0) baseline[id] = { ...baseline[id], [who]: places };
    }
  }
  return baseline;
}

const bare = (place: string) => place.replaceAll("?", "");

/** What has gone since the baseline: from every record of the answer, or from some. */
function vanished(before: readonly string[], now: readonly string[], who: string): string[] {
  const held = new Map(now.map((place) => [bare(place), place]));
  return before.flatMap((place) => {
    const found = held.get(bare(place));
    if (found === undefined) return [`${bare(place)} has vanished from the answer of the ${who}`];
    return found.includes("?") && !place.includes("?") ? [`${bare(place)} has vanished from some records in the answer of the ${who}`] : [];
  });
}

type OutputSource = "sandbox" | "tool";

/**
 * Check 4: what the baseline says that an answer held it still holds, each answer has a baseline and each baseline a fixture, and who was asked still
 * answers.
 */
export function checkPresence(
  recorded: Baseline,
  current: Baseline,
  fixtures: ReadonlySet<string>,
  asked: readonly OutputSource[],
): CheckResult {
  const findings: Finding[] = [];
  for (const id of fixtures) {
    for (const who of asked) {
      const [before, now] = [recorded[id]?.[who] ?? [], current[id]?.[who]];
      if (now === undefined) {
        if (before.length > 0) findings.push({ check: "presence", subject: id, problem: `the ${who} gives no answer any more` });
        continue;
      }
      const problems =
        before.length === 0
          ? [`the answer of the ${who} has no baseline: run replay --update-presence and review it`]
          : vanished(before, now, who);
      findings.push(...problems.map((problem): Finding => ({ check: "presence", subject: id, problem })));
    }
  }
  for (const id of Object.keys(recorded))
    if (!fixtures.has(id)) findings.push({ check: "presence", subject: id, problem: "there is a baseline and no fixture of this name" });
  return { check: "presence", checked: fixtures.size, findings, skips: [] };
}

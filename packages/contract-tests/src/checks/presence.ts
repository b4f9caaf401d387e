import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixtureText } from "../fixtures/fixture.ts";
import type { Finding, Verdict } from "./finding.ts";

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** Every place in a JSON value that holds something, such as `items[].faults[].code`, with one of its values. */
export function placesIn(value: unknown, path = "", places = new Map<string, unknown>()): Map<string, unknown> {
  if (Array.isArray(value)) for (const item of value) placesIn(item, `${path}[]`, places);
  else if (isRecord(value))
    for (const [name, inner] of Object.entries(value)) placesIn(inner, path === "" ? name : `${path}.${name}`, places);
  else if (value !== undefined && value !== null) places.set(path, value);
  return places;
}

/** What an answer held when it was last looked at: nearly all fields are optional, so no schema sees one vanish. */
export type Baseline = Record<string, { sandbox?: string[]; tool?: string[] }>;

const fileIn = (folder: string) => join(folder, "presence.json");

export function readBaseline(folder: string): Baseline {
  return existsSync(fileIn(folder)) ? (JSON.parse(readFileSync(fileIn(folder), "utf8")) as Baseline) : {};
}

export function writeBaseline(folder: string, baseline: Baseline): void {
  writeFileSync(fileIn(folder), fixtureText(baseline));
}

/** The places that answers hold now. */
export function baselineOf(answers: Readonly<Record<"sandbox" | "tool", ReadonlyMap<string, unknown>>>): Baseline {
  const baseline: Baseline = {};
  for (const who of ["sandbox", "tool"] as const) {
    for (const [id, answer] of answers[who]) {
      const places = [...placesIn(answer).keys()].sort();
      if (places.length > 0) baseline[id] = { ...baseline[id], [who]: places };
    }
  }
  return baseline;
}

/** Check 4: no place of the baseline is empty now, in an answer that came, and each answer has a baseline. */
export function checkPresence(recorded: Baseline, current: Baseline, answered: ReadonlySet<string>): Verdict {
  const findings: Finding[] = [];
  for (const id of answered) {
    for (const who of ["sandbox", "tool"] as const) {
      const [before, now] = [recorded[id]?.[who] ?? [], current[id]?.[who] ?? []];
      const gone = current[id]?.[who] === undefined ? [] : before.filter((place) => !now.includes(place));
      findings.push(
        ...gone.map(
          (place): Finding => ({ check: "presence", subject: id, problem: `${place} has vanished from the answer of the ${who}` }),
        ),
      );
      if (now.length > 0 && before.length === 0)
        findings.push({
          check: "presence",
          subject: id,
          problem: `the answer of the ${who} has no baseline: run replay --update-presence and review it`,
        });
    }
  }
  return { check: "presence", checked: answered.size, findings, skips: [] };
}

import { type AcceptedDrift, type DriftBaseline, type DriftFinding, placeOf } from "./verify-report.ts";

/** The accepted drift that covers a finding: at the same place, with nothing that is not accepted there. */
function entryFor(finding: DriftFinding, accepted: readonly AcceptedDrift[]): AcceptedDrift | undefined {
  const place = placeOf(finding);
  return accepted.find((entry) => placeOf(entry) === place && finding.actual.every((one) => entry.actual.includes(one)));
}

export interface Compared {
  /** New drift, and drift whose acceptance has expired. */
  findings: DriftFinding[];
  accepted: DriftFinding[];
  /** Accepted drift that the deployment no longer has. */
  vanished: AcceptedDrift[];
  /** Accepted drift that this run could not look for. */
  notSeen: AcceptedDrift[];
}

/** Compares the findings of a run with accepted drift. `couldSee` tells whether the run would have found an entry. */
export function compareWithAccepted(
  found: readonly DriftFinding[],
  accepted: readonly AcceptedDrift[],
  today: string,
  couldSee: (entry: AcceptedDrift) => boolean,
): Compared {
  const result: Compared = { findings: [], accepted: [], vanished: [], notSeen: [] };
  for (const finding of found) {
    const entry = entryFor(finding, accepted);
    const { since, reason, expires } = entry ?? {};
    const known = { ...finding, ...(since && { since }), ...(reason && { reason }), ...(expires && { expires }) };
    if (entry && (expires === undefined || expires >= today)) result.accepted.push(known);
    else result.findings.push(known);
  }
  const places = new Set(found.map(placeOf));
  for (const entry of accepted) if (!places.has(placeOf(entry))) result[couldSee(entry) ? "vanished" : "notSeen"].push(entry);
  return result;
}

const order = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The baseline that accepts what a run found. Reasons and dates are kept; an expired entry stays expired until its date is changed by hand. */
export function updatedBaseline({ findings, accepted, vanished }: Compared, before: DriftBaseline, today: string): DriftBaseline {
  const gone = new Set(vanished.map(placeOf));
  const entries = new Map(before.accepted.filter((entry) => !gone.has(placeOf(entry))).map((entry) => [placeOf(entry), entry]));
  for (const { operation, path, kind, expected, actual } of [...findings, ...accepted]) {
    const place = placeOf({ operation, path, kind });
    const known = entries.get(place);
    const all = [...new Set([...(known?.actual ?? []), ...actual])].sort(order);
    entries.set(place, { since: today, ...known, operation, path, kind, expected, actual: all });
  }
  return { ...before, accepted: [...entries.values()].sort((a, b) => order(placeOf(a), placeOf(b))) };
}

import type { Position } from "../fleet/position.ts";
import { pluralize } from "../text/pluralize.ts";
import { conditionOf, type Source } from "./conditions.ts";
import type { Area } from "./place-areas.ts";
import type { WatchRule } from "./rules.ts";

/** A rule with its names resolved. */
export interface ResolvedRule {
  rule: WatchRule;
  /** Identifies the rule as it is written: a rule that is edited begins anew. */
  key: string;
  vehicleId?: string | undefined;
  driverId?: string | undefined;
  groupId?: string | undefined;
  area?: Area | undefined;
  /** Whom it is for, as in "Van 1" or "any vehicle". */
  whom: string;
  /** What a user should know about how the rule was understood. */
  note?: string | undefined;
}

/** Says in words what a rule waits for, as it was understood. */
export function waitsFor({ rule, whom, area, note }: ResolvedRule): string {
  const { between, until, coolDownMinutes, late } = rule;
  const parts = [
    `when ${whom} ${conditionOf(rule).present(rule, area?.label ?? "")}`,
    ...(between ? [`between ${between[0]} and ${between[1]}`] : []),
    ...(until ? [`until ${until}`] : []),
    ...(coolDownMinutes ? [`at most once in ${pluralize(coolDownMinutes, ["minute", "minutes"])} for each`] : []),
    ...(late === "drop" ? ["not if noticed late"] : []),
    ...(note ? [`(${note})`] : []),
  ];
  return parts.join(", ").replace(", (", " (");
}

/** Where the records of a rule come from: only a lamp needs the list of faults. */
export function sourceOf({ rule }: ResolvedRule): Source | "codes" {
  const { source } = conditionOf(rule);
  return rule.when === "faultBegins" && rule.lamp === undefined ? "codes" : source;
}

const NONE: readonly ResolvedRule[] = [];

function added<Key>(map: Map<Key, ResolvedRule[]>, key: Key, rule: ResolvedRule): void {
  const existing = map.get(key);
  if (existing) existing.push(rule);
  else map.set(key, [rule]);
}

/** The rules by whom they are for, so that a vehicle costs only its own rules. */
export class RuleIndex {
  readonly rules: readonly ResolvedRule[];
  readonly byKey: ReadonlyMap<string, ResolvedRule>;
  readonly #vehicles = new Map<string, ResolvedRule[]>();
  readonly #drivers = new Map<string, ResolvedRule[]>();
  readonly #groups = new Map<string, ResolvedRule[]>();
  readonly #all: ResolvedRule[] = [];
  /** Rules about one vehicle, by the other vehicle at which they wait for it. */
  readonly #meeting = new Map<string, ResolvedRule[]>();

  constructor(rules: readonly ResolvedRule[]) {
    this.rules = rules;
    this.byKey = new Map(rules.map((one) => [one.key, one]));
    for (const one of rules) {
      if (one.vehicleId !== undefined) added(this.#vehicles, one.vehicleId, one);
      else if (one.driverId !== undefined) added(this.#drivers, one.driverId, one);
      else if (one.groupId !== undefined) added(this.#groups, one.groupId, one);
      else this.#all.push(one);
      if (one.area?.kind === "vehicle" && one.vehicleId !== undefined) added(this.#meeting, one.area.vehicleId, one);
    }
  }

  /** The rules from a source that is not the live positions. */
  from(source: Source): ResolvedRule[] {
    return this.rules.filter((one) => sourceOf(one) === source);
  }

  /** Of how many vehicles something is remembered, counted once for each rule; drivers and jobs count as their vehicles. */
  count(positions: readonly Position[]): number {
    let count = this.#all.length * positions.length;
    if (this.#all.length === this.rules.length) return count;
    for (const position of positions) this.#eachNamed(position, () => count++);
    return count;
  }

  /** Calls a function for each rule about a vehicle or its driver. */
  eachFor(position: Position, visit: (rule: ResolvedRule) => void): void {
    this.#eachNamed(position, visit);
    for (const one of this.#all) visit(one);
  }

  #eachNamed(position: Position, visit: (rule: ResolvedRule) => void): void {
    const { assetId, driverId, assetGroupId, driverGroupId } = position;
    for (const one of (assetId && this.#vehicles.get(assetId)) || NONE) visit(one);
    for (const one of (driverId && this.#drivers.get(driverId)) || NONE) visit(one);
    for (const one of (assetGroupId && this.#groups.get(assetGroupId)) || NONE) visit(one);
    if (driverGroupId !== assetGroupId) for (const one of (driverGroupId && this.#groups.get(driverGroupId)) || NONE) visit(one);
  }

  /** The rules that wait for another vehicle at this one. */
  meeting(vehicleId: string): readonly ResolvedRule[] {
    return this.#meeting.get(vehicleId) ?? NONE;
  }
}

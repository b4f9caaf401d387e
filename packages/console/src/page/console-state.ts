import { computed, type Signal, signal } from "@preact/signals";
import type { ConsoleFleet, ConsoleJob, ConsoleSearch, ConsoleVehicle, Section } from "../data/fleet-console.ts";
import type { ConsoleAbout, ConsoleEvents, ConsoleRequest, ConsoleStatus } from "../data/page-data.ts";

export type Position = ConsoleFleet["vehicles"][number];

export const about = signal<ConsoleAbout | undefined>(undefined);
export const status = signal<(ConsoleStatus & { readAt: number }) | undefined>(undefined);
/** Why the console shows no newer data, by what it could not read. */
export const problems = signal<ReadonlyMap<string, string>>(new Map());
/** Age of the fleet's data when it was read, in milliseconds, and why there is none that is newer. */
export const reading = signal<Pick<ConsoleFleet, "age" | "failure">>({ age: 0 });
export const positions = signal<readonly Position[]>([]);
export const isLoaded = signal(false);
export const requests = signal<readonly ConsoleRequest[]>([]);
export const jobs = signal<Section<ConsoleJob[]> | undefined>(undefined);
/** Null if there are no rules. */
export const events = signal<ConsoleEvents | null | undefined>(undefined);

export const selectedId = signal<string | undefined>(undefined);
export const isFollowing = signal(false);
export const detail = signal<Section<ConsoleVehicle | undefined> | undefined>(undefined);

export const query = signal("");
export const found = signal<ConsoleSearch | undefined>(undefined);

/** Sets a signal, from an expression. */
export const set = <Value>(target: Signal<Value>, value: Value): void => {
  target.value = value;
};

/** Replaces the problem with one part of the console; undefined if there is none. */
export function setProblem(part: string, problem: string | undefined): void {
  if (problems.value.get(part) === problem) return;
  const others = [...problems.value].filter(([name]) => name !== part);
  problems.value = new Map(problem === undefined ? others : [...others, [part, problem]]);
}

/** The service's time now, in epoch ms. */
export function serviceNow(): number {
  const { now, speed = 1, readAt } = status.value ?? { now: Date.now(), readAt: performance.now() };
  return now + (performance.now() - readAt) * speed;
}

/** Increases as time passes, so that ages are rendered again. */
export const tick = signal(0);

/** Sorts Truck 2 before Truck 12. */
export const collator: Intl.Collator = new Intl.Collator(undefined, { numeric: true });

export const byId = computed(() => new Map(positions.value.map((position) => [position.assetId, position])));
export const selected = computed(() => (selectedId.value === undefined ? undefined : byId.value.get(selectedId.value)));

import { nameOf, type VehicleState, vehicleState, vehicleStates } from "@fleetwire/map";
import { computed, signal } from "@preact/signals";
import type { ConsoleJob } from "../data/console-jobs.ts";
import type { ConsoleAbout, ConsoleRequest, ConsoleStatus } from "../data/console-status.ts";
import type { ConsoleFleet, ConsoleSearch, ConsoleVehicle, Section } from "../data/fleet-console.ts";

export type Position = ConsoleFleet["vehicles"][number];

export const about = signal<ConsoleAbout | undefined>(undefined);
export const status = signal<(ConsoleStatus & { readAt: number }) | undefined>(undefined);
/** Why the console shows no newer data. */
export const problem = signal<string | undefined>(undefined);
/** Age of the fleet's data when it was read, in milliseconds, and why there is none that is newer. */
export const reading = signal<Pick<ConsoleFleet, "age" | "failure">>({ age: 0 });
export const positions = signal<readonly Position[]>([]);
export const isLoaded = signal(false);
export const requests = signal<readonly ConsoleRequest[]>([]);
export const jobs = signal<Section<ConsoleJob[]> | undefined>(undefined);

export const selectedId = signal<string | undefined>(undefined);
export const isFollowing = signal(false);
export const detail = signal<Section<ConsoleVehicle | undefined> | undefined>(undefined);

export const query = signal("");
export const found = signal<ConsoleSearch | undefined>(undefined);
export const groupId = signal<string | undefined>(undefined);
export const shownStates = signal<ReadonlySet<VehicleState>>(new Set(vehicleStates));

/** The service's time now, in epoch ms. */
export function serviceNow(): number {
  const { now, speed = 1, readAt } = status.value ?? { now: Date.now(), readAt: performance.now() };
  return now + (performance.now() - readAt) * speed;
}

/** Increases as time passes, so that ages are rendered again. */
export const tick = signal(0);

/** Sorts Truck 2 before Truck 12. */
export const collator: Intl.Collator = new Intl.Collator("en", { numeric: true });

const sorted = computed(() => positions.value.toSorted((a, b) => collator.compare(nameOf(a), nameOf(b))));

export const byId = computed(() => new Map(positions.value.map((position) => [position.assetId, position])));
export const selected = computed(() => (selectedId.value === undefined ? undefined : byId.value.get(selectedId.value)));

/** The ids of a group and its descendants. */
const groupIds = computed<ReadonlySet<string> | undefined>(() => {
  if (groupId.value === undefined) return undefined;
  const ids = new Set([groupId.value]);
  // A group may precede its parent.
  for (let size = 0; size !== ids.size; ) {
    size = ids.size;
    for (const { id, parentId } of status.value?.groups ?? []) if (parentId !== undefined && ids.has(parentId)) ids.add(id);
  }
  return ids;
});

const inGroup = computed(() => {
  const ids = groupIds.value;
  return ids ? sorted.value.filter(({ assetGroupId }) => assetGroupId !== undefined && ids.has(assetGroupId)) : sorted.value;
});

export const stateCounts = computed(() => {
  const counts = new Map<VehicleState, number>(vehicleStates.map((state) => [state, 0]));
  for (const position of inGroup.value) {
    const state = vehicleState(position);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return counts;
});

/** The vehicles on the map: those of the group in the chosen states, and the selected one. */
export const mapped = computed(() =>
  inGroup.value.filter((position) => shownStates.value.has(vehicleState(position)) || position.assetId === selectedId.value),
);

/** The vehicles in the list: those that a search finds, or those on the map. */
export const listed = computed(() => {
  if (query.value.trim() === "" || !found.value) return mapped.value;
  return found.value.vehicleIds.flatMap((id) => byId.value.get(id) ?? []);
});

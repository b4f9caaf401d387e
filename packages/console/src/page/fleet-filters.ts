import { LOW_PERCENT, parseDateTime } from "@fleetwire/core/internal";
import { isStale, nameOf, type VehicleState, vehicleState, vehicleStates } from "@fleetwire/map";
import { batch, computed, signal } from "@preact/signals";
import {
  byId,
  collator,
  found,
  isFollowing,
  type Position,
  positions,
  query,
  selectedId,
  serviceNow,
  status,
  tick,
} from "./console-state.ts";

/** Why a vehicle needs attention, most urgent first. */
export const concerns = ["faults", "silent", "low"] as const;
export type Concern = (typeof concerns)[number];

export const concernNames: Readonly<Record<Concern, string>> = { faults: "Faults", silent: "Silent", low: "Low" };
export const concernMeanings: Readonly<Record<Concern, string>> = {
  faults: "Active fault codes",
  silent: "No report for 24 hours, or for 10 minutes while driving, or one with a wrong date",
  low: `Less than ${LOW_PERCENT} % fuel or battery`,
};

const isLow = (level: number | undefined) => level !== undefined && level < LOW_PERCENT;

const applies: Readonly<Record<Concern, (position: Position, now: number) => boolean>> = {
  faults: ({ activeFaultCodes = [] }) => activeFaultCodes.length > 0,
  silent: isStale,
  low: ({ fuelLevelPercentage, electricBatteryLevelPercent }) => isLow(fuelLevelPercentage) || isLow(electricBatteryLevelPercent),
};

/** Changes often enough for vehicles that fall silent. */
const minute = computed(() => {
  void tick.value;
  return Math.floor(serviceNow() / 60_000);
});

const concernsByPosition = computed(() => {
  void minute.value;
  const now = serviceNow();
  return new Map(positions.value.map((position) => [position, concerns.filter((concern) => applies[concern](position, now))]));
});

export const concernsOf = (position: Position): readonly Concern[] => concernsByPosition.value.get(position) ?? [];

/** Smaller for a vehicle with more urgent concerns. */
function urgencyOf(position: Position): number {
  const [first] = concernsOf(position);
  return first === undefined ? concerns.length : concerns.indexOf(first);
}

export const orders = { attention: "Needs attention first", name: "By name", report: "Oldest report first" } as const;
export type Order = keyof typeof orders;

/** A state, or a reason for attention, of which only the vehicles are shown. */
export type Filter = VehicleState | Concern;

export const groupId = signal<string | undefined>(undefined);
/** Empty if vehicles in all states are shown. */
export const filters = signal<ReadonlySet<Filter>>(new Set());
export const order = signal<Order>("attention");
/** Increases when the user asks for the whole fleet. */
export const wholeFleetRequests = signal(0);

export function toggleFilter(filter: Filter): void {
  const chosen = new Set(filters.value);
  if (!chosen.delete(filter)) chosen.add(filter);
  filters.value = chosen;
}

/** Shows a vehicle in the panel; undefined closes it. */
export function select(id: string | undefined): void {
  if (id !== selectedId.value) isFollowing.value = false;
  selectedId.value = id;
}

/** Undoes everything that limits what is shown. */
export function showWholeFleet(): void {
  batch(() => {
    select(undefined);
    groupId.value = undefined;
    filters.value = new Set();
    query.value = "";
    wholeFleetRequests.value++;
  });
}

const reportedAt = ({ date }: Position) => parseDateTime(date) ?? 0;

const comparisons: Readonly<Record<Order, (a: Position, b: Position) => number>> = {
  attention: (a, b) => urgencyOf(a) - urgencyOf(b),
  name: () => 0,
  report: (a, b) => reportedAt(a) - reportedAt(b),
};

const byName = computed(() => positions.value.toSorted((a, b) => collator.compare(nameOf(a), nameOf(b))));
const sorted = computed(() => byName.value.toSorted(comparisons[order.value]));

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

const filtersOf = (position: Position): readonly Filter[] => [vehicleState(position), ...concernsOf(position)];

/** How many vehicles of the group each filter would show. */
export const filterCounts = computed(() => {
  const counts = new Map<Filter, number>();
  for (const position of inGroup.value) for (const filter of filtersOf(position)) counts.set(filter, (counts.get(filter) ?? 0) + 1);
  return counts;
});

const isState = (filter: Filter): filter is VehicleState => (vehicleStates as readonly Filter[]).includes(filter);

/** Whether a vehicle is in one of the chosen states, and has one of the chosen reasons for attention. */
const passes = computed(() => {
  const chosen = [...filters.value];
  const [states, reasons] = [chosen.filter(isState), chosen.filter((filter) => !isState(filter))];
  return (position: Position) => {
    const its = filtersOf(position);
    return [states, reasons].every((some) => some.length === 0 || some.some((filter) => its.includes(filter)));
  };
});

/** The vehicles on the map: those of the group that pass the filters, and the selected one. */
export const mapped = computed(() => inGroup.value.filter((position) => passes.value(position) || position.assetId === selectedId.value));

/** The vehicles in the list: those that a search finds, or those on the map. */
export const listed = computed(() => {
  if (query.value.trim() === "" || !found.value) return mapped.value;
  return found.value.vehicleIds.flatMap((id) => byId.value.get(id) ?? []);
});

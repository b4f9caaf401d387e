import { stateNames, vehicleStates } from "@fleetwire/map";
import type { ComponentChildren } from "preact";
import { concernMeanings, concernNames, concerns } from "./attention.ts";
import { isLoaded, status } from "./console-state.ts";
import { type Filter, filterCounts, filters, groupId, showWholeFleet, toggleFilter } from "./fleet-filters.ts";
import { groupTree } from "./group-tree.tsx";
import { StateMarker } from "./state-marker.tsx";

interface ChipProps {
  filter: Filter;
  title?: string;
  children: ComponentChildren;
}

function Chip({ filter, title, children }: ChipProps) {
  const count = filterCounts.value.get(filter) ?? 0;
  return (
    <button
      type="button"
      class={`filter ${filter}`}
      title={title}
      aria-pressed={filters.value.has(filter)}
      onClick={() => toggleFilter(filter)}
    >
      {children} <b>{isLoaded.value ? count.toLocaleString() : "–"}</b>
    </button>
  );
}

/** The name of a group, if it is known; groups may be nested. */
function groupName(id: string): string {
  const named = status.value?.groups.find((group) => group.id === id) ?? groupTree.value.find((group) => group.id === id);
  return named?.name ?? id;
}

const GroupChip = () => {
  const id = groupId.value;
  if (id === undefined) return null;
  return (
    <button
      type="button"
      class="chip"
      onClick={() => {
        groupId.value = undefined;
      }}
    >
      <bdi>{groupName(id)}</bdi> <span class="unseen">: show all groups</span>×
    </button>
  );
};

/** Limits list and map to the vehicles in some states, or to those that need attention. */
export function FilterBar() {
  return (
    <section class="filters" aria-label="Filters">
      <button type="button" class="whole" onClick={showWholeFleet}>
        Whole fleet
      </button>
      <GroupChip />
      <fieldset aria-label="Show only vehicles by state">
        {vehicleStates.map((state) => (
          <Chip key={state} filter={state}>
            <StateMarker state={state} heading={45} /> {stateNames[state]}
          </Chip>
        ))}
      </fieldset>
      <fieldset aria-label="Show only vehicles that need attention">
        {concerns.map((concern) => (
          <Chip key={concern} filter={concern} title={concernMeanings[concern]}>
            <span class={`sign ${concern}`} aria-hidden="true" /> {concernNames[concern]}
          </Chip>
        ))}
      </fieldset>
    </section>
  );
}

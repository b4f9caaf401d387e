import { stateNames, vehicleState, vehicleStates } from "@fleetwire/map";
import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { collator, isLoaded, positions, set, status } from "./console-state.ts";
import {
  concernMeanings,
  concernNames,
  concerns,
  type Filter,
  filterCounts,
  filters,
  groupId,
  showWholeFleet,
  toggleFilter,
} from "./fleet-filters.ts";
import { StateMarker } from "./state-marker.tsx";

interface GroupNode {
  id: string;
  name: string;
  /** Vehicles in the group and its descendants. */
  vehicles: number;
  driving: number;
  below: GroupNode[];
}

/** The groups as a tree. A real service has no operation that reads groups, so the groups that vehicles name are shown as a flat list. */
const groupTree = computed<GroupNode[]>(() => {
  const nodes = new Map<string, GroupNode & { parentId?: string | undefined }>();
  for (const { id, name, parentId } of status.value?.groups ?? [])
    nodes.set(id, { id, name, parentId, vehicles: 0, driving: 0, below: [] });
  for (const { assetGroupId: id, assetGroupName } of positions.value)
    if (id !== undefined && !nodes.has(id)) nodes.set(id, { id, name: assetGroupName ?? id, vehicles: 0, driving: 0, below: [] });
  for (const position of positions.value) {
    const driving = vehicleState(position) === "driving" ? 1 : 0;
    const seen = new Set<string>();
    for (let node = nodes.get(position.assetGroupId ?? ""); node && !seen.has(node.id); node = nodes.get(node.parentId ?? "")) {
      seen.add(node.id);
      node.vehicles++;
      node.driving += driving;
    }
  }
  const roots: GroupNode[] = [];
  for (const node of nodes.values()) (nodes.get(node.parentId ?? "")?.below ?? roots).push(node);
  const inOrder = (level: GroupNode[]): GroupNode[] => {
    const shown = level.filter(({ vehicles }) => vehicles > 0).sort((a, b) => collator.compare(a.name, b.name));
    for (const node of shown) node.below = inOrder(node.below);
    return shown;
  };
  return inOrder(roots);
});

function Group({ node, depth }: { node: GroupNode; depth: number }) {
  const isChosen = groupId.value === node.id;
  const choose = (
    <button type="button" class="group" aria-pressed={isChosen} onClick={() => set(groupId, isChosen ? undefined : node.id)}>
      <bdi>{node.name}</bdi>
      <span class="group-count" title={`${node.driving} of ${node.vehicles} are driving`}>
        {node.driving} / {node.vehicles}
        <span class="unseen"> driving</span>
      </span>
    </button>
  );
  if (node.below.length === 0) return <li class="leaf">{choose}</li>;
  return (
    <li>
      <details open={depth < 2}>
        <summary aria-label={`Groups in ${node.name}`} />
        <ul>
          {node.below.map((one) => (
            <Group key={one.id} node={one} depth={depth + 1} />
          ))}
        </ul>
      </details>
      {choose}
    </li>
  );
}

/** The groups, each with the number of vehicles that are driving. Choosing one limits the list and the map to it. */
export function GroupTree() {
  return (
    <>
      <p class="count">
        {isLoaded.value
          ? "Driving / vehicles. Choose a group to see only its vehicles."
          : "The groups appear once the fleet has been read."}
      </p>
      <ul class="groups">
        {groupTree.value.map((node) => (
          <Group key={node.id} node={node} depth={0} />
        ))}
      </ul>
    </>
  );
}

function Chip({ filter, title, children }: { filter: Filter; title?: string; children: ComponentChildren }) {
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
    <button type="button" class="chip" onClick={() => set(groupId, undefined)}>
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

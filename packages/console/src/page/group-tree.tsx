import { vehicleState } from "@fleetwire/map";
import { computed } from "@preact/signals";
import { collator, isLoaded, positions, status } from "./console-state.ts";
import { groupId } from "./fleet-filters.ts";

interface GroupNode {
  id: string;
  name: string;
  /** Vehicles in the group and its descendants. */
  vehicles: number;
  driving: number;
  below: GroupNode[];
}

/** The groups as a tree. A real service has no operation that reads groups, so the groups that vehicles name are shown as a flat list. */
export const groupTree = computed<GroupNode[]>(() => {
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
    <button
      type="button"
      class="group"
      aria-pressed={isChosen}
      onClick={() => {
        groupId.value = isChosen ? undefined : node.id;
      }}
    >
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

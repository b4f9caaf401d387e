import { vehicleStates } from "@fleetwire/map";
import { batch, effect, signal } from "@preact/signals";
import { selectedId } from "./console-state.ts";
import { concerns, type Filter, filters, groupId, type Order, order, orders, select } from "./fleet-filters.ts";

export const tabNames = ["Vehicles", "Groups", "Jobs", "Events"] as const;
export type TabName = (typeof tabNames)[number];
export const tab = signal<TabName>("Vehicles");

const KNOWN: readonly Filter[] = [...vehicleStates, ...concerns];

/** What the page shows, as the fragment of its address: it makes links possible, and is not sent to the server. */
function fragment(): string {
  const parts = new URLSearchParams();
  if (selectedId.value !== undefined) parts.set("vehicle", selectedId.value);
  if (groupId.value !== undefined) parts.set("group", groupId.value);
  if (filters.value.size > 0) parts.set("only", KNOWN.filter((filter) => filters.value.has(filter)).join(","));
  if (order.value !== "attention") parts.set("order", order.value);
  if (tab.value !== "Vehicles") parts.set("tab", tab.value.toLowerCase());
  return parts.toString();
}

/** Shows what an address says; unknown parts are ignored. */
function show(address: string): void {
  const parts = new URLSearchParams(address.replace(/^#/, ""));
  const asked = parts.get("only")?.split(",") ?? [];
  const wanted = parts.get("order") ?? "";
  batch(() => {
    select(parts.get("vehicle") || undefined);
    groupId.value = parts.get("group") || undefined;
    filters.value = new Set(KNOWN.filter((filter) => asked.includes(filter)));
    order.value = Object.hasOwn(orders, wanted) ? (wanted as Order) : "attention";
    tab.value = tabNames.find((name) => name.toLowerCase() === parts.get("tab")) ?? "Vehicles";
  });
}

/** Keeps the address and what the page shows the same. The browser's back button closes a vehicle or leaves a group. */
export function followAddress(): void {
  show(location.hash);
  let before = [selectedId.value, groupId.value];
  effect(() => {
    const next = fragment();
    const [vehicle, group] = [selectedId.value, groupId.value];
    const isStep = (before[0] === undefined && vehicle !== undefined) || (group !== undefined && group !== before[1]);
    before = [vehicle, group];
    if (next === new URLSearchParams(location.hash.slice(1)).toString()) return;
    const address = `${location.pathname}${location.search}${next && `#${next}`}`;
    if (isStep) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  });
  addEventListener("popstate", () => show(location.hash));
}

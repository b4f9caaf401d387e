import type { operations } from "@fleetwire/core";
import { ageText } from "@fleetwire/map";
import { computed } from "@preact/signals";
import { render } from "preact";
import { Clock } from "./clock-controls.tsx";
import "./console.css";
import { about, isLoaded, problems, reading, requests, selectedId } from "./console-state.ts";
import { Drawer, isFailure, statusText } from "./drawer.tsx";
import { showUnseen } from "./events.tsx";
import { FilterBar } from "./filters.tsx";
import { select } from "./fleet-filters.ts";
import { MapView } from "./map-view.tsx";
import { followAddress, tab } from "./page-address.ts";
import { startPolling } from "./polling.ts";
import { Tabs } from "./tabs.tsx";
import { VehiclePanel } from "./vehicle-panel.tsx";

const FLEET_READ: keyof typeof operations = "listLivePositions";

/** The latest read of the fleet, if it failed: it is repeated for a while before the console is told that there is no data. */
const failedRead = computed(() => {
  const last = requests.value.findLast(({ operation }) => operation === FLEET_READ);
  return last && isFailure(last) ? last : undefined;
});

function problemText(): string | undefined {
  const [problem] = problems.value.values();
  const { failure, age } = reading.value;
  if (problem !== undefined) return isLoaded.value ? problem : `There is no data yet: ${problem}`;
  if (!isLoaded.value) return failedRead.value && `There is no data yet: the service is failing (${statusText(failedRead.value)}).`;
  return failure && `The service is failing (${failure}): this data was read ${ageText(-age, 0)}.`;
}

const Problem = () => (
  <p class="banner" role="alert">
    {problemText()}
  </p>
);

/** The whole page. */
function Console() {
  const { kind, account } = about.value ?? {};
  return (
    <div class={selectedId.value !== undefined && isLoaded.value ? "console with-panel" : "console"}>
      <header class="top">
        <h1>Fleetwire</h1>
        {kind && <span class="kind">{kind === "sandbox" ? "Sandbox: a made-up fleet" : "Live fleet, read-only"}</span>}
        {account && (
          <a class="account" href="/console/sign-in" title="Sign out, or choose another customer">
            <bdi>{account.customer ?? account.name}</bdi>
          </a>
        )}
        <Clock />
      </header>
      <FilterBar />
      <Problem />
      <main>
        <Tabs />
        <MapView />
        <VehiclePanel />
      </main>
      <Drawer />
    </div>
  );
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("textarea, select, input:not([type=checkbox]), [contenteditable]");

/** `/` goes to the search field, and Escape closes the vehicle and returns to where it stands in the list. */
function followShortcuts(): void {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (key === "Escape") {
      const hadFocus = target instanceof HTMLElement && target.closest(".panel") !== null;
      const row = document.querySelector<HTMLElement>(".row[aria-pressed=true]");
      select(undefined);
      if (hadFocus) row?.focus();
    }
    if (key !== "/" || ctrlKey || metaKey || altKey || isTyping(target)) return;
    event.preventDefault();
    tab.value = "Vehicles";
    // The tab is rendered in a microtask. By the next frame, letters would have been typed nowhere.
    queueMicrotask(() => document.querySelector<HTMLInputElement>("input[type=search]")?.focus());
  });
}

followAddress();
render(<Console />, document.body);
startPolling();
followShortcuts();
showUnseen();

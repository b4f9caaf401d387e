import type { operations } from "@fleetwire/core";
import { ageText } from "@fleetwire/map";
import { computed, signal } from "@preact/signals";
import { Clock } from "./clock-controls.tsx";
import { about, isLoaded, problems, reading, requests, selectedId, status } from "./console-state.ts";
import { FaultSwitches } from "./fault-switches.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { MapView } from "./map-view.tsx";
import { isFailure, RequestList, statusText } from "./request-list.tsx";
import { Tabs } from "./tabs.tsx";
import { VehiclePanel } from "./vehicle-panel.tsx";

const FLEET_READ: keyof typeof operations = "listLivePositions";

const drawer = signal<"requests" | "faults" | undefined>(undefined);

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

function Problem() {
  return (
    <p class="banner" role="alert">
      {problemText()}
    </p>
  );
}

function Drawer() {
  const hasFaults = about.value?.faults !== undefined;
  const last = requests.value.at(-1);
  const toggle = (name: "requests" | "faults") => () => {
    drawer.value = drawer.value === name ? undefined : name;
  };
  const isOn = (status.value?.faults ?? "") !== "";
  return (
    <footer class={drawer.value ? "drawer open" : "drawer"}>
      <div class="drawer-bar">
        <button type="button" aria-expanded={drawer.value === "requests"} onClick={toggle("requests")}>
          Requests
        </button>
        {hasFaults && (
          <button type="button" aria-expanded={drawer.value === "faults"} onClick={toggle("faults")}>
            Faults{isOn && <span class="on"> on</span>}
          </button>
        )}
        {last && (
          <span class="last">
            <bdi>{last.operation ?? last.path}</bdi> {statusText(last)}, {Math.round(last.ms)} ms
          </span>
        )}
      </div>
      {drawer.value === "requests" && <RequestList />}
      {drawer.value === "faults" && <FaultSwitches />}
    </footer>
  );
}

/** The whole page. */
export function Console() {
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

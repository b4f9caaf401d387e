import { stateNames, vehicleStates } from "@fleetwire/map";
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { Clock } from "./clock-controls.tsx";
import { about, groupId, jobs, problem, reading, requests, selected, shownStates, stateCounts, status } from "./console-state.ts";
import { FaultSwitches } from "./fault-switches.tsx";
import { GroupTree, groupTree } from "./group-tree.tsx";
import { JobList } from "./job-list.tsx";
import { MapView } from "./map-view.tsx";
import { RequestList, statusText } from "./request-list.tsx";
import { StateMarker } from "./state-marker.tsx";
import { VehicleList } from "./vehicle-list.tsx";
import { VehiclePanel } from "./vehicle-panel.tsx";

const Jobs = () => (
  <section class="tab-panel" aria-label="Jobs">
    <JobList />
  </section>
);

const tabs: Readonly<Record<string, ComponentType>> = { Vehicles: VehicleList, Groups: GroupTree, Jobs };
const tab = signal("Vehicles");
const drawer = signal<"requests" | "faults" | undefined>(undefined);

function StateFilters() {
  return (
    <fieldset class="states" aria-label="Show vehicles by state">
      {vehicleStates.map((state) => {
        const count = stateCounts.value.get(state) ?? 0;
        const isShown = shownStates.value.has(state);
        return (
          <button
            key={state}
            type="button"
            aria-pressed={isShown}
            onClick={() => {
              const states = new Set(shownStates.value);
              if (isShown) states.delete(state);
              else states.add(state);
              shownStates.value = states;
            }}
          >
            <StateMarker state={state} heading={45} /> {stateNames[state]} <b>{count}</b>
          </button>
        );
      })}
    </fieldset>
  );
}

const GroupChip = () => {
  const id = groupId.value;
  if (id === undefined) return null;
  const name = status.value?.groups.find((group) => group.id === id)?.name ?? groupTree.value.find((group) => group.id === id)?.name ?? id;
  return (
    <button
      type="button"
      class="chip"
      onClick={() => {
        groupId.value = undefined;
      }}
    >
      <bdi>{name}</bdi> <span class="unseen">: show all groups</span>×
    </button>
  );
};

function Problem() {
  const { failure, age } = reading.value;
  const text = problem.value ?? (failure && `The service is failing (${failure}): this data is ${Math.round(age / 1000)} s old.`);
  return (
    <p class="banner" role="status">
      {text}
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
  const Tab = tabs[tab.value] ?? VehicleList;
  const count = jobs.value && "value" in jobs.value ? jobs.value.value.length : 0;
  const { kind, account } = about.value ?? {};
  return (
    <div class={selected.value ? "console with-panel" : "console"}>
      <header class="top">
        <h1>Fleetwire</h1>
        {kind && <span class="kind">{kind === "sandbox" ? "Sandbox: a made-up fleet" : "Live fleet, read-only"}</span>}
        <StateFilters />
        <GroupChip />
        {account && (
          <a class="account" href="/console/sign-in" title="Sign out, or choose another customer">
            <bdi>{account.customer ?? account.name}</bdi>
          </a>
        )}
        <Clock />
      </header>
      <Problem />
      <main>
        <nav class="side" aria-label="Fleet">
          <fieldset class="tabs" aria-label="List">
            {Object.keys(tabs).map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={tab.value === name}
                onClick={() => {
                  tab.value = name;
                }}
              >
                {name}
                {name === "Jobs" && count > 0 && ` (${count})`}
              </button>
            ))}
          </fieldset>
          <Tab />
        </nav>
        <MapView />
        <VehiclePanel />
      </main>
      <Drawer />
    </div>
  );
}

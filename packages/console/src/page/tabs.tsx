import type { ComponentType } from "preact";
import { useRef } from "preact/hooks";
import { jobs, set } from "./console-state.ts";
import { EventList, unseen } from "./events.tsx";
import { GroupTree } from "./filters.tsx";
import { JobList } from "./job-list.tsx";
import { type TabName, tab, tabNames } from "./page-address.ts";
import { VehicleList } from "./vehicle-list.tsx";

const panels: Readonly<Record<TabName, ComponentType>> = {
  Vehicles: VehicleList,
  Groups: GroupTree,
  Jobs: () => <JobList />,
  Events: EventList,
};

const idOf = (name: TabName) => `tab-${name.toLowerCase()}`;

/** The lists at the side, as tabs: the arrow keys go from one to the next. */
export function Tabs() {
  const list = useRef<HTMLDivElement>(null);
  const Panel = panels[tab.value];
  const counts: Partial<Record<TabName, number>> = {
    Jobs: jobs.value && "value" in jobs.value ? jobs.value.value.length : 0,
    Events: unseen.value,
  };
  const move = (event: KeyboardEvent) => {
    const at = tabNames.indexOf(tab.value);
    const last = tabNames.length - 1;
    const steps: Record<string, number> = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last };
    const name = tabNames[steps[event.key] ?? -1];
    if (name === undefined) return;
    event.preventDefault();
    tab.value = name;
    list.current?.querySelector<HTMLElement>(`#${idOf(name)}`)?.focus();
  };
  return (
    <nav class="side" aria-label="Fleet">
      <div class="tabs" role="tablist" aria-label="Lists" ref={list} onKeyDown={move}>
        {tabNames.map((name) => (
          <button
            key={name}
            id={idOf(name)}
            type="button"
            role="tab"
            aria-selected={tab.value === name}
            aria-controls="tab-panel"
            tabIndex={tab.value === name ? 0 : -1}
            onClick={() => set(tab, name)}
          >
            {name}
            {(counts[name] ?? 0) > 0 && ` (${counts[name]})`}
          </button>
        ))}
      </div>
      <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby={idOf(tab.value)}>
        <Panel />
      </div>
    </nav>
  );
}

import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ConsoleRequest } from "../data/page-data.ts";
import { about, requests, set, status } from "./console-state.ts";
import { Switch } from "./events.tsx";
import { applyChange } from "./polling.ts";

const OWN = "fleetwire-console";
const SLOWEST_SHOWN_MS = 1_000;
const COLUMNS = ["Time", "Operation", "Status", "Duration", "Client"];

const shown = signal<"requests" | "faults" | undefined>(undefined);
const hidesOwn = signal(false);

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export const isFailure = ({ status }: ConsoleRequest) => status === 0 || status >= 400;

export const statusText = ({ status, failure = "reset" }: ConsoleRequest) => (status === 0 ? failure : String(status));

function Row({ request }: { request: ConsoleRequest }) {
  const { at, client, operation, path, ms } = request;
  return (
    <tr class={isFailure(request) ? "failed" : ""}>
      <td>{clock.format(at)}</td>
      <td title={path}>
        <bdi>{operation ?? path}</bdi>
      </td>
      <td>
        {isFailure(request) && <span aria-hidden="true">✕ </span>}
        {statusText(request)}
      </td>
      <td>
        <meter min={0} max={SLOWEST_SHOWN_MS} value={Math.min(ms, SLOWEST_SHOWN_MS)} aria-hidden="true" />
        {ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString()} ms
      </td>
      <td>
        <bdi>{client === OWN ? "console" : client}</bdi>
      </td>
    </tr>
  );
}

/** The last requests to the service, newest first. */
function RequestList() {
  const rows = requests.value.filter(({ client }) => !hidesOwn.value || client !== OWN).toReversed();
  return (
    <div class="requests">
      {requests.value.some(({ client }) => client === OWN) && (
        <label class="switch">
          <input type="checkbox" checked={hidesOwn} onChange={({ currentTarget }) => set(hidesOwn, currentTarget.checked)} /> Hide the
          console's own
        </label>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <section class="scrolls" tabIndex={0} aria-label="List of requests">
        <table>
          <thead>
            <tr>
              {COLUMNS.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((request) => (
              <Row key={request.id} request={request} />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p class="none">No requests yet.</p>}
      </section>
    </div>
  );
}

const RATES = { "1": "every request", "0.5": "half of the requests", "0.2": "a fifth of the requests", "0.05": "a few requests" };

const rate = signal("0.5");
const operation = signal("");

/** The faults that are on, by name. */
function faultsOn(): Map<string, string> {
  const entries = (status.value?.faults ?? "").split(",").map((entry) => entry.trim());
  return new Map(entries.filter((entry) => entry !== "").map((entry) => [entry.replace(/^\w+:/, "").replace(/[=@].*$/, ""), entry]));
}

const send = (entries: Iterable<string>) => applyChange("faults", { list: [...entries].join(", ") });

function toggle(name: string, isOn: boolean): Promise<void> {
  const on = faultsOn();
  if (isOn) on.set(name, `${operation.value && `${operation.value}:`}${name}${rate.value === "1" ? "" : `@${rate.value}`}`);
  else on.delete(name);
  return send(on.values());
}

function Choice({ name, choice, options }: { name: string; choice: Signal<string>; options: [value: string, text: string][] }) {
  return (
    <label>
      {name}{" "}
      <select value={choice} onChange={({ currentTarget }) => set(choice, currentTarget.value)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Switches for the faults that a sandbox injects into requests. */
function FaultSwitches() {
  const on = faultsOn();
  const operations = about.value?.operations ?? [];
  return (
    <section class="fault-switches" aria-label="Faults">
      <div class="choices">
        <Choice name="Affect" choice={rate} options={Object.entries(RATES)} />
        <Choice
          name="of"
          choice={operation}
          options={[["", "any operation"], ...operations.map((name): [string, string] => [name, name])]}
        />
        <button type="button" disabled={on.size === 0} onClick={() => void send([])}>
          Switch all off
        </button>
      </div>
      <ul class="switches">
        {Object.entries(about.value?.faults ?? {}).map(([name, effect]) => (
          <li key={name}>
            <Switch isOn={on.has(name)} onToggle={(isOn) => void toggle(name, isOn)}>
              <b>{name}</b> <small>{on.get(name) !== undefined && on.get(name) !== name ? `on as ${on.get(name)}` : effect}</small>
            </Switch>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The requests to the service, and a sandbox's faults, at the bottom of the page. */
export function Drawer() {
  const last = requests.value.at(-1);
  const isOn = (status.value?.faults ?? "") !== "";
  const button = (name: "requests" | "faults", text: ComponentChildren) => (
    <button type="button" aria-expanded={shown.value === name} onClick={() => set(shown, shown.value === name ? undefined : name)}>
      {text}
    </button>
  );
  return (
    <footer class={shown.value ? "drawer open" : "drawer"}>
      <div class="drawer-bar">
        {button("requests", "Requests")}
        {about.value?.faults && button("faults", <>Faults{isOn && <span class="on"> on</span>}</>)}
        {last && (
          <span class="last">
            <bdi>{last.operation ?? last.path}</bdi> {statusText(last)}, {Math.round(last.ms)} ms
          </span>
        )}
      </div>
      {shown.value === "requests" && <RequestList />}
      {shown.value === "faults" && <FaultSwitches />}
    </footer>
  );
}

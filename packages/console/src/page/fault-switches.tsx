import { type Signal, signal } from "@preact/signals";
import { about, status } from "./console-state.ts";
import { applyChange } from "./polling.ts";

const RATES = [
  ["1", "every request"],
  ["0.5", "half of the requests"],
  ["0.2", "a fifth of the requests"],
  ["0.05", "a few requests"],
] as const;

const rate = signal<string>("0.5");
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

const choose =
  (choice: Signal<string>) =>
  ({ currentTarget }: { currentTarget: HTMLSelectElement }) => {
    choice.value = currentTarget.value;
  };

/** Switches for the faults that a sandbox injects into requests. */
export function FaultSwitches() {
  const on = faultsOn();
  return (
    <section class="fault-switches" aria-label="Faults">
      <div class="choices">
        <label>
          Affect{" "}
          <select value={rate.value} onChange={choose(rate)}>
            {RATES.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          {" of "}
          <select value={operation.value} onChange={choose(operation)}>
            <option value="">any operation</option>
            {about.value?.operations?.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" disabled={on.size === 0} onClick={() => void send([])}>
          Switch all off
        </button>
      </div>
      <ul class="switches">
        {Object.entries(about.value?.faults ?? {}).map(([name, effect]) => (
          <li key={name}>
            <label class="switch">
              <input
                type="checkbox"
                role="switch"
                aria-checked={on.has(name)}
                checked={on.has(name)}
                onChange={(event) => void toggle(name, event.currentTarget.checked)}
              />
              <span>
                <b>{name}</b> <small>{on.get(name) !== undefined && on.get(name) !== name ? `on as ${on.get(name)}` : effect}</small>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

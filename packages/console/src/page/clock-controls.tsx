import { serviceNow, status, tick } from "./console-state.ts";
import { exactTime } from "./durations.ts";
import { applyChange } from "./polling.ts";

const SPEEDS = [1, 10, 60, 600];
const HOUR = 3_600_000;
const JUMPS = [
  ["−1 h", -HOUR],
  ["+1 h", HOUR],
  ["+8 h", 8 * HOUR],
  ["+1 day", 24 * HOUR],
] as const;

const set = (change: { at?: number; speed?: number }) => applyChange("clock", change);

/** Formats an instant for a date and time input, in the browser's zone. */
function forInput(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

function Controls({ speed }: { speed: number }) {
  return (
    <div class="clock-controls">
      <button type="button" aria-pressed={speed === 0} onClick={() => void set({ speed: speed === 0 ? 1 : 0 })}>
        {speed === 0 ? "Resume" : "Pause"}
      </button>
      <label>
        <span class="unseen">Speed</span>
        <select value={String(speed)} onChange={(event) => void set({ speed: Number(event.currentTarget.value) })}>
          {[...new Set([...SPEEDS, speed])]
            .sort((a, b) => a - b)
            .map((one) => (
              <option key={one} value={String(one)}>
                {one === 0 ? "paused" : `× ${one}`}
              </option>
            ))}
        </select>
      </label>
      <details class="jump">
        <summary>Jump</summary>
        <div class="menu">
          {JUMPS.map(([name, by]) => (
            <button key={name} type="button" onClick={() => void set({ at: Math.round(serviceNow() + by) })}>
              {name}
            </button>
          ))}
          <button type="button" onClick={() => void set({ at: Date.now(), speed: 1 })}>
            Real time
          </button>
          <label>
            To{" "}
            <input
              type="datetime-local"
              value={forInput(serviceNow())}
              onChange={(event) => {
                const at = new Date(event.currentTarget.value).getTime();
                if (Number.isFinite(at)) void set({ at });
              }}
            />
          </label>
        </div>
      </details>
    </div>
  );
}

/** The service's time; the clock of a sandbox can be paused, sped up and set. */
export function Clock() {
  void tick.value;
  const { speed } = status.value ?? {};
  return (
    <div class="clock">
      <time>{status.value ? exactTime(serviceNow()) : ""}</time>
      {speed !== undefined && <Controls speed={speed} />}
    </div>
  );
}

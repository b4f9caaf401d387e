import { parseDateTime } from "@fleetwire/core/internal";
import { ageText, isStale, nameOf, paceText, stateNames, stateText, type VehicleState, vehicleState } from "@fleetwire/map";
import { signal } from "@preact/signals";
import { found, isLoaded, type Position, positions, problems, query, selectedId, serviceNow, set, tick } from "./console-state.ts";
import { type Concern, concernMeanings, concernsOf, listed, type Order, order, orders, select } from "./fleet-filters.ts";
import { StateMarker } from "./state-marker.tsx";

const MAX_ROWS = 250;

const placeOf = ({ privacy, latitude, locationName, city, country, formattedAddress }: Position) => {
  if (privacy === true && latitude === undefined) return "Private journey";
  return locationName || [city, country].filter(Boolean).join(", ") || formattedAddress || "Place not reported";
};

/** Why a vehicle has a sign in its row. */
function detailOf(concern: Concern, { activeFaultCodes = [], fuelLevelPercentage, electricBatteryLevelPercent }: Position): string {
  if (concern === "faults") return `${activeFaultCodes.length} active fault ${activeFaultCodes.length === 1 ? "code" : "codes"}`;
  if (concern === "silent") return concernMeanings.silent;
  const levels = [fuelLevelPercentage, electricBatteryLevelPercent].filter((level) => level !== undefined);
  return `${Math.round(Math.min(...levels))} % fuel or battery`;
}

function doing(position: Position, state: VehicleState): string {
  if (state === "charging" && position.electricBatteryLevelPercent !== undefined)
    return `${Math.round(position.electricBatteryLevelPercent)} %`;
  return paceText({ state, speed: position.speed }) ?? stateNames[state];
}

/** The row that Tab reaches: the one last focused, else the selected or the first one. The arrow keys reach the others. */
const focusedId = signal<string | undefined>(undefined);

function tabStopOf(rows: readonly Position[]): string | undefined {
  return [focusedId.value, selectedId.value].find((id) => rows.some(({ assetId }) => assetId === id)) ?? rows[0]?.assetId;
}

/** Moves the focus along the rows; an open panel follows it. */
function moveInRows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".row")];
  const at = rows.indexOf(event.target as HTMLElement);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 };
  const next = steps[event.key];
  if (next === undefined || next >= rows.length) return;
  event.preventDefault();
  const isAbove = next < 0;
  (isAbove ? document.querySelector<HTMLElement>("input[type=search]") : rows[next])?.focus();
  if (!isAbove && selectedId.value !== undefined) select(rows[next]?.dataset["id"]);
}

function VehicleRow({ position, now, isTabStop }: { position: Position; now: number; isTabStop: boolean }) {
  const state = vehicleState(position);
  const isOld = isStale(position, now);
  const its = concernsOf(position);
  const isSelected = position.assetId === selectedId.value;
  return (
    <li>
      <button
        type="button"
        class={isOld ? "row stale" : "row"}
        data-id={position.assetId}
        aria-pressed={isSelected}
        tabIndex={isTabStop ? 0 : -1}
        onFocus={() => set(focusedId, position.assetId)}
        onClick={() => select(isSelected ? undefined : position.assetId)}
      >
        <StateMarker state={state} heading={position.heading} isStale={isOld} />
        <span class="row-name">
          <bdi>{nameOf(position)}</bdi>
          {its.map((concern) => (
            <span key={concern} class={`sign ${concern}`} title={detailOf(concern, position)}>
              <span class="unseen"> {detailOf(concern, position)}</span>
            </span>
          ))}
        </span>
        <span class="row-doing">{isOld ? stateText({ state, isStale: isOld }) : doing(position, state)}</span>
        <span class="row-place">
          <bdi>{placeOf(position)}</bdi>
        </span>
        <span class="row-age">{ageText(parseDateTime(position.date), now)}</span>
      </button>
    </li>
  );
}

function resultLine(): string {
  const result = query.value.trim() === "" ? undefined : found.value;
  const shown = listed.value.length;
  if (!result) return shown === positions.value.length ? `${shown} vehicles` : `${shown} of ${positions.value.length} vehicles`;
  if (result.result === "found") return "One vehicle matches";
  if (result.result === "ambiguous") return `${shown} vehicles match`;
  return shown > 0 ? "No vehicle matches. The nearest names:" : "No vehicle matches";
}

/** The search field and its results; the whole fleet while it is empty. */
export function VehicleList() {
  // Ages are rendered again as time passes.
  void tick.value;
  const now = serviceNow();
  const rows = listed.value;
  const tabStop = tabStopOf(rows.slice(0, MAX_ROWS));
  const first = found.value?.result === "found" ? found.value.vehicleIds[0] : undefined;
  return (
    <>
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            select(first ?? rows[0]?.assetId);
          }}
        >
          <input
            type="search"
            aria-label="Find a vehicle"
            placeholder="Name, registration, driver, VIN …"
            aria-keyshortcuts="/"
            autocomplete="off"
            value={query.value}
            onKeyDown={(event) => {
              if (event.key !== "ArrowDown") return;
              event.preventDefault();
              document.querySelector<HTMLElement>(".rows .row")?.focus();
            }}
            onInput={(event) => set(query, event.currentTarget.value)}
          />
        </form>
      </search>
      <div class="list-head">
        <p class="count" role="status">
          {isLoaded.value ? resultLine() : problems.value.size > 0 ? "No data yet" : "Reading the fleet …"}
        </p>
        {!found.value && (
          <select aria-label="Order" value={order} onChange={(event) => set(order, event.currentTarget.value as Order)}>
            {Object.entries(orders).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        )}
      </div>
      <ul class="rows" onKeyDown={moveInRows}>
        {rows.slice(0, MAX_ROWS).map((position) => (
          <VehicleRow key={position.assetId} position={position} now={now} isTabStop={position.assetId === tabStop} />
        ))}
      </ul>
      {rows.length > MAX_ROWS && <p class="count">And {rows.length - MAX_ROWS} more: search, or choose a group.</p>}
    </>
  );
}

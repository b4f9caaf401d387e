import { parseDateTime } from "@fleetwire/core/internal";
import { ageText, nameOf, paceText, stateNames, type VehicleState, vehicleState } from "@fleetwire/map";
import { found, isFollowing, isLoaded, listed, type Position, positions, query, selectedId, serviceNow, tick } from "./console-state.ts";
import { StateMarker } from "./state-marker.tsx";

const MAX_ROWS = 250;

const placeOf = ({ privacy, latitude, locationName, city, country }: Position) => {
  if (privacy === true && latitude === undefined) return "Private journey";
  return locationName || [city, country].filter(Boolean).join(", ") || "Place not reported";
};

function doing(position: Position, state: VehicleState): string {
  if (state === "charging" && position.electricBatteryLevelPercent !== undefined)
    return `${Math.round(position.electricBatteryLevelPercent)} %`;
  return paceText({ state, speed: position.speed }) ?? stateNames[state];
}

export function select(id: string | undefined): void {
  if (id !== selectedId.value) isFollowing.value = false;
  selectedId.value = id;
}

function VehicleRow({ position, now }: { position: Position; now: number }) {
  const state = vehicleState(position);
  const isSelected = position.assetId === selectedId.value;
  const faults = position.activeFaultCodes?.length ?? 0;
  return (
    <li>
      <button type="button" class="row" aria-pressed={isSelected} onClick={() => select(isSelected ? undefined : position.assetId)}>
        <StateMarker state={state} heading={position.heading} />
        <span class="row-name">
          <bdi>{nameOf(position)}</bdi>
          {faults > 0 && (
            <span class="fault-mark" title={`${faults} active fault codes`}>
              ▲<span class="unseen"> {faults} active fault codes</span>
            </span>
          )}
        </span>
        <span class="row-doing">{doing(position, state)}</span>
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
  const first = found.value?.result === "found" ? found.value.vehicleIds[0] : undefined;
  return (
    <section class="tab-panel" aria-label="Vehicles">
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
            autocomplete="off"
            value={query.value}
            onInput={(event) => {
              query.value = event.currentTarget.value;
            }}
          />
        </form>
      </search>
      <p class="count" role="status">
        {isLoaded.value ? resultLine() : "Reading the fleet …"}
      </p>
      <ul class="rows">
        {rows.slice(0, MAX_ROWS).map((position) => (
          <VehicleRow key={position.assetId} position={position} now={now} />
        ))}
      </ul>
      {rows.length > MAX_ROWS && <p class="count">And {rows.length - MAX_ROWS} more: search, or choose a group.</p>}
    </section>
  );
}

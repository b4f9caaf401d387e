import { LOW_PERCENT, parseDateTime } from "@fleetwire/core/internal";
import { ageText, describeVehicle, isStale, mapVehicle, nameOf, paceText, stateText, vehicleState } from "@fleetwire/map";
import type { ComponentChildren } from "preact";
import type { ConsoleVehicle } from "../data/fleet-console.ts";
import { detail, isFollowing, isLoaded, selected, selectedId, serviceNow, set, tick } from "./console-state.ts";
import { DayTimeline } from "./day-timeline.tsx";
import { dateAndTime } from "./durations.ts";
import { select } from "./fleet-filters.ts";
import { JobList } from "./job-list.tsx";
import { StateMarker } from "./state-marker.tsx";

function Level({ name, percent, more }: { name: string; percent: number; more: (string | undefined)[] }) {
  const isLow = percent < LOW_PERCENT;
  return (
    <div class="limit">
      <span>{name}</span>
      <meter min={0} max={100} low={LOW_PERCENT} optimum={100} value={percent} aria-label={`${name} ${Math.round(percent)} percent`} />
      <span class="figure">
        {Math.round(percent)} %{isLow && <b class="low"> low</b>} <small>{more.filter(Boolean).join(", ")}</small>
      </span>
    </div>
  );
}

const rounded = (value: number | undefined, unit: string) =>
  value === undefined ? undefined : `${Math.round(value).toLocaleString()} ${unit}`;

/** Fuel and battery, as far as the vehicle reports them. */
function VehicleEnergy({ position }: { position: ConsoleVehicle["position"] }) {
  const { fuelLevelPercentage: fuel, fuelLevelLitres, electricBatteryLevelPercent: battery, electricRangeKm } = position;
  const charging = position.electricCharging === true ? ["charging", rounded(position.electricChargingTimeRemainingMins, "min left")] : [];
  const facts = [position.energyType, ...(position.fuelType ?? [])].filter(Boolean).join(", ");
  return (
    <>
      {fuel !== undefined && <Level name="Fuel" percent={fuel} more={[rounded(fuelLevelLitres, "l")]} />}
      {battery !== undefined && <Level name="Battery" percent={battery} more={[rounded(electricRangeKm, "km range"), ...charging]} />}
      {fuel === undefined && battery === undefined && <p class="none">No level reported{facts && ` (${facts})`}.</p>}
    </>
  );
}

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="part">
    <h3>{title}</h3>
    {children}
  </section>
);

const Fact = ({ name, value }: { name: string; value: string | undefined }) =>
  value ? (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  ) : null;

function FaultList({ faults }: Pick<ConsoleVehicle, "faults">) {
  if ("problem" in faults) return <p class="problem">{faults.problem}</p>;
  const open = faults.value.filter(({ inProgress }) => inProgress);
  const past = faults.value.length - open.length;
  return (
    <>
      {open.length === 0 && <p class="none">No open faults{past > 0 && `; ${past} in the past`}.</p>}
      <ul class="faults">
        {open.map(({ code, description, startDate, details }, at) => {
          const since = parseDateTime(startDate);
          return (
            <li key={`${code} ${at}`}>
              <b>
                <bdi>{code ?? "No code"}</bdi>
              </b>{" "}
              <bdi>{description ?? details?.sourceDescription}</bdi>
              <small>
                {details?.lamps && details.lamps.length > 0 && `lamp ${details.lamps.join(", ")}; `}
                {since !== undefined && `since ${dateAndTime(since)}`}
              </small>
            </li>
          );
        })}
      </ul>
      {open.length > 0 && past > 0 && <p class="none">And {past} in the past.</p>}
    </>
  );
}

const Close = () => (
  <button type="button" class="close" aria-label="Close" onClick={() => select(undefined)}>
    ×
  </button>
);

/** A link may name a vehicle that has left the fleet, or that this user may not see. */
const UnknownVehicle = () => (
  <aside class="panel" aria-label="Unknown vehicle">
    <header>
      <h2>Unknown vehicle</h2>
      <Close />
    </header>
    <p class="none">This fleet has no vehicle with the id of this link.</p>
  </aside>
);

/** Everything about the selected vehicle. */
export function VehiclePanel() {
  const position = selected.value;
  void tick.value;
  if (!position) return isLoaded.value && selectedId.value !== undefined ? <UnknownVehicle /> : null;
  const now = serviceNow();
  const state = vehicleState(position);
  const drawn = mapVehicle(position, now);
  const isPrivate = position.privacy === true && !drawn;
  const { value: read, problem } = { value: undefined, problem: undefined, ...detail.value };
  const isOld = isStale(position, now);
  const age = ageText(parseDateTime(position.date), now);
  return (
    <aside class="panel" aria-label={drawn ? describeVehicle(drawn, now) : nameOf(position)}>
      <header>
        <StateMarker state={state} heading={position.heading} isStale={isOld} />
        <h2>
          <bdi>{nameOf(position)}</bdi>
        </h2>
        <Close />
      </header>
      <p class={isOld ? "doing stale" : "doing"}>
        <b>{[stateText({ state, isStale: isOld }), paceText({ state, speed: position.speed })].filter(Boolean).join(" ")}</b>, {age}
      </p>
      <p class="place">
        {isPrivate ? (
          "On a private journey: its whereabouts are withheld."
        ) : (
          <bdi>{position.formattedAddress ?? position.locationName}</bdi>
        )}
        {!drawn && !isPrivate && " No valid position reported."}
      </p>
      {drawn && (
        <button type="button" class="follow" aria-pressed={isFollowing.value} onClick={() => set(isFollowing, !isFollowing.value)}>
          {isFollowing.value ? "Following on the map" : "Follow on the map"}
        </button>
      )}
      <dl class="facts">
        <Fact name="Registration" value={position.assetRegistration} />
        <Fact name="Driver" value={position.driverName} />
        <Fact name="Group" value={position.assetGroupName} />
        <Fact
          name="Odometer"
          value={read?.position.odometer === undefined ? undefined : `${Math.round(read.position.odometer).toLocaleString()} km`}
        />
      </dl>
      {problem && <p class="problem">{problem}</p>}
      {!read && !problem && <p class="none">Reading …</p>}
      {read && (
        <>
          <Part title="Driver's last 24 hours">
            <DayTimeline day={read.day} />
          </Part>
          <Part title="Energy">
            <VehicleEnergy position={read.position} />
          </Part>
          <Part title="Faults">
            <FaultList faults={read.faults} />
          </Part>
          <Part title="Jobs">
            <JobList vehicleId={position.assetId} />
          </Part>
        </>
      )}
    </aside>
  );
}

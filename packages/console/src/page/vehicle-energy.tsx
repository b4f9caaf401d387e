import type { ConsoleVehicle } from "../data/fleet-console.ts";

const LOW_PERCENT = 20;

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
export function VehicleEnergy({ position }: { position: ConsoleVehicle["position"] }) {
  const {
    fuelLevelPercentage,
    fuelLevelLitres,
    electricBatteryLevelPercent,
    electricRangeKm,
    electricCharging,
    electricChargingTimeRemainingMins,
  } = position;
  const isReported = fuelLevelPercentage !== undefined || electricBatteryLevelPercent !== undefined;
  const charging = electricCharging === true ? ["charging", rounded(electricChargingTimeRemainingMins, "min left")] : [];
  const facts = [position.energyType, ...(position.fuelType ?? [])].filter(Boolean).join(", ");
  return (
    <>
      {fuelLevelPercentage !== undefined && <Level name="Fuel" percent={fuelLevelPercentage} more={[rounded(fuelLevelLitres, "l")]} />}
      {electricBatteryLevelPercent !== undefined && (
        <Level name="Battery" percent={electricBatteryLevelPercent} more={[rounded(electricRangeKm, "km range"), ...charging]} />
      )}
      {!isReported && <p class="none">No level reported{facts && ` (${facts})`}.</p>}
    </>
  );
}

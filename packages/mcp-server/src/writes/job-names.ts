import { FleetError } from "@fleetwire/core";
import { type FleetView, readFleet } from "../fleet-view.ts";
import { resolveName } from "../resolver/resolve-name.ts";
import { driverLabel, groupLabel, sureName, vehicleLabel } from "../resolver/sure-name.ts";
import type { ToolContext } from "../tool.ts";

type Arguments = Readonly<Record<string, unknown>>;

interface CheckedNames {
  args: Arguments;
  /** What could not be checked, in words. */
  unchecked: string[];
}

const toTheLetter = true;

function exactVehicle(said: string, fleet: FleetView): string {
  const naming = { field: "vehicleName", what: "vehicles", labelOf: vehicleLabel, toTheLetter };
  const { value } = sureName(said, fleet.vehicles(), naming);
  if (value.assetName !== undefined) return value.assetName;
  throw new FleetError("input", `vehicleName: ${vehicleLabel(value)} has no name`, {
    advice: `Give vehicleId ${value.assetId} in its place`,
  });
}

/**
 * The names in a new job as the fleet spells them, before anything is sent. A name that is not sure is refused with those that may be meant.
 * A group that holds no vehicle and no driver is in no live position, so its name goes on as it is.
 */
export async function checkedJobNames(args: Arguments, context: ToolContext): Promise<CheckedNames> {
  const { vehicleName, personName, groupName } = args as { vehicleName?: unknown; personName?: unknown; groupName?: unknown };
  const named = { vehicleName, personName, groupName };
  const given = Object.entries(named).filter(([, name]) => typeof name === "string" && name !== "");
  if (given.length === 0) return { args, unchecked: [] };
  let fleet: FleetView;
  try {
    fleet = await readFleet(context);
  } catch (error) {
    if (!(error instanceof FleetError) || error.code === "aborted") throw error;
    return { args, unchecked: [`${given.map(([field]) => field).join(", ")}: not checked, for the fleet could not be read`] };
  }
  const checked: Record<string, unknown> = { ...args };
  const unchecked: string[] = [];
  if (typeof vehicleName === "string") checked["vehicleName"] = exactVehicle(vehicleName, fleet);
  if (typeof personName === "string") {
    const naming = {
      field: "personName",
      what: "drivers",
      labelOf: driverLabel,
      toTheLetter,
      orElse: "For someone who drives nothing now give personId.",
    };
    const { value } = sureName(personName, fleet.drivers(), naming);
    // A pseudonym is no name to the service.
    if (context.settings.driverNames === "show") checked["personName"] = value.driverName;
    else {
      delete checked["personName"];
      checked["personId"] = value.driverId;
    }
  }
  if (typeof groupName === "string") {
    const resolution = resolveName(groupName, fleet.groups());
    if (resolution.result === "notFound")
      unchecked.push(`groupName: no vehicle or driver is in a group of this name, so it was not checked`);
    else
      checked["groupName"] = sureName(groupName, fleet.groups(), {
        field: "groupName",
        what: "groups",
        labelOf: groupLabel,
        toTheLetter,
      }).value.name;
  }
  return { args: checked, unchecked };
}

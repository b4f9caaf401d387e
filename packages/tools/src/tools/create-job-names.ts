import { FleetError } from "@fleetwire/core";
import { DRIVERS, driverLabel, GROUPS, groupLabel, VEHICLES, vehicleLabel } from "../fleet/entities.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { matchIn, requireMatch, soldRemark, unresolvedName } from "../lookup/find-entities.ts";
import { NameQuestion } from "../names/name-question.ts";
import { resolveName } from "../names/resolve-name.ts";
import { quotation } from "../text/clip-values.ts";

type Arguments = Readonly<Record<string, unknown>>;

const NAMES = ["vehicleName", "personName", "groupName"] as const;

const exactOnly = true;

const refuse = (message: string, advice: string) => new FleetError("input", message, { advice });

/** Whether a name occurs only once: the service has nothing else to identify the entity by. */
const isUnique = (name: string | undefined, names: readonly (string | undefined)[]): name is string =>
  name !== undefined && name !== "" && names.filter((other) => other === name).length === 1;

/** Throws if an id is given beside a name, and is that of something else: it is not known which of them the service would follow. */
function requireSame([name, nameOf]: readonly [string, string], [field, id]: readonly [string, unknown], known: string | undefined): void {
  if (id === undefined || id === known) return;
  throw refuse(
    `${field} is not the id of ${quotation(nameOf)}, which ${name} names`,
    "Ask the user which is meant, and pass only one of them",
  );
}

async function exactVehicle(query: string, id: unknown, fleet: FleetView, context: FleetContext): Promise<string> {
  const naming = { ...VEHICLES, field: "vehicleName", exactOnly };
  const resolution = await resolveName(query, fleet.vehicles);
  const sold = await soldRemark(resolution, query, context);
  if (resolution.result !== "found" && sold.remark)
    throw new NameQuestion({ ...(await unresolvedName(resolution, query, naming)), ...sold });
  const { value } = await matchIn(resolution, query, naming);
  requireSame(["vehicleName", vehicleLabel(value)], ["vehicleId", id], value.assetId);
  const names = fleet.positions.map(({ assetName }) => assetName);
  if (isUnique(value.assetName, names)) return value.assetName;
  throw refuse(
    `vehicleName: ${quotation(vehicleLabel(value))} is not a unique name`,
    value.assetId === undefined ? "Tell the user" : `Pass vehicleId ${value.assetId} instead`,
  );
}

/** Identifies a driver by name, or by id if the name is not unique or is hidden, because the service does not know pseudonyms. */
async function exactPerson(query: string, id: unknown, fleet: FleetView, { settings }: FleetContext): Promise<Arguments> {
  const naming = {
    ...DRIVERS,
    field: "personName",
    exactOnly,
    alternative: "For someone who is not driving now, pass personId.",
  };
  const drivers = await fleet.drivers();
  const { value } = await requireMatch(query, drivers, naming);
  requireSame(["personName", driverLabel(value)], ["personId", id], value.driverId);
  const names = [...drivers.entries()].map(({ value: { driverName } }) => driverName);
  if (settings.driverNames === "show" && isUnique(value.driverName, names)) return { personName: value.driverName };
  if (value.driverId !== undefined) return { personName: undefined, personId: value.driverId };
  throw refuse(`personName: the live positions have no id for ${quotation(driverLabel(value))}`, "Tell the user, or pass personId");
}

async function exactGroup(query: string, fleet: FleetView): Promise<string> {
  const groups = await fleet.groups();
  const { value } = await requireMatch(query, groups, { ...GROUPS, field: "groupName", exactOnly });
  const names = [...groups.entries()].map(({ value: { name } }) => name);
  if (isUnique(value.name, names)) return value.name;
  throw refuse(`groupName: ${quotation(groupLabel(value))} is not a unique name, and jobs do not accept a group id`, "Tell the user");
}

/**
 * Returns the names in a new job in the fleet's spelling, what could not be checked, and the fleet if it was read. An uncertain name becomes
 * a question with candidates. A group without vehicles and drivers does not occur in live positions, so its name is sent unchanged.
 */
export async function checkedJobNames(
  args: Arguments,
  context: FleetContext,
): Promise<{ names: Arguments; unchecked: string[]; fleet?: FleetView }> {
  const given = NAMES.filter((field) => args[field] !== undefined);
  if (given.length === 0) return { names: {}, unchecked: [] };
  const { vehicleName, personName, groupName } = args as { [name in (typeof NAMES)[number]]?: string };
  const read = () => readFleet(context);
  // A pseudonym cannot be sent unchecked, because the service does not know it.
  const fleet = context.settings.driverNames === "hide" && personName !== undefined ? await read() : await ifReadable(read);
  if (!fleet) return { names: {}, unchecked: [`${given.join(", ")}: not checked, as the fleet could not be read.`] };
  const isGroup = groupName !== undefined && (await resolveName(groupName, await fleet.groups())).result !== "notFound";
  const names = {
    ...(vehicleName !== undefined && { vehicleName: await exactVehicle(vehicleName, args["vehicleId"], fleet, context) }),
    ...(personName !== undefined && (await exactPerson(personName, args["personId"], fleet, context))),
    ...(isGroup && { groupName: await exactGroup(groupName, fleet) }),
  };
  const isUnchecked = groupName !== undefined && !isGroup;
  const unchecked = isUnchecked ? ["groupName: no vehicle or driver is in a group with this name, so it was not checked."] : [];
  return { names, unchecked, fleet };
}

import { createFleetClient, FleetError, fleetConfigFromEnv } from "@fleetwire/core";

const fleet = createFleetClient(fleetConfigFromEnv(process.env));

const [first] = await fleet.listLivePositions({ locale: "en-GB" });
const id = first?.assetGroupId ?? "root";
try {
  // Fields that are left out stay as they are.
  const { name, path } = await fleet.updateGroup({ id, name: "Night shift" });
  console.log(`${name} is at ${path}`);
} catch (error) {
  if (!(error instanceof FleetError && error.code === "conflict")) throw error;
  console.log(`Another group has that name. ${error.advice}`);
}

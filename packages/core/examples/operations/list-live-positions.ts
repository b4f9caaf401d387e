import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";

const fleet = createFleetClient(fleetConfigFromEnv(process.env));

const positions = await fleet.listLivePositions({ hideSpeedIfSpeedSensitive: true });
for (const { assetName, city, speed } of positions.filter(({ eventType }) => eventType === "driving")) {
  console.log(`${assetName} drives at ${speed ?? "an unknown number of"} km/h near ${city}`);
}

import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";

const fleet = createFleetClient(fleetConfigFromEnv(process.env));

const [vehicle] = await fleet.listLivePositions();
for await (const { tripId, distance } of fleet.listTrips.iterate({ vehicleId: vehicle?.assetId ?? "" }))
  console.log(`${tripId}: ${distance} km`);

import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";

const fleet = createFleetClient(fleetConfigFromEnv(process.env));

const DAY = 86_400_000;
const period = { startTime: new Date(Date.now() - DAY), endTime: new Date() };

for await (const { driverKey, activities = [] } of fleet.queryTachoActivity.iterate({ ...period, limit: 100 })) {
  const driving = activities.filter(({ activity }) => activity === "DRIVING");
  console.log(`${driverKey} drove ${driving.length} times`);
}

import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";

const fleet = createFleetClient(fleetConfigFromEnv(process.env));

// One page.
const { items = [], pagination } = await fleet.listVehicleFaults({ pageSize: 20, pageIndex: 0 });
console.log(`${items.length} of ${pagination?.totalItems} vehicles`);

// All pages, each requested when the loop needs it.
for await (const { assetName, faults = [] } of fleet.listVehicleFaults.iterate({ pageSize: 20 })) {
  for (const { code, description } of faults.filter(({ inProgress }) => inProgress)) console.log(`${assetName}: ${code} ${description}`);
}

import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";

const fleet = createFleetClient(fleetConfigFromEnv(process.env));

// The response is undocumented, and so are the parameters, which are passed through in `query`.
const events = await fleet.listTireEvents();
console.log(JSON.stringify(events, null, 2));

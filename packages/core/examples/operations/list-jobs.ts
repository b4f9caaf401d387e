import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";

const fleet = createFleetClient(fleetConfigFromEnv(process.env));

// The response is undocumented, and so are the parameters, which are passed through in `query`.
const jobs = await fleet.listJobs({ query: { status: "NEW" } });
console.log(JSON.stringify(jobs, null, 2));

import { createFleetClient, FleetError, fleetConfigFromEnv } from "@fleetwire/core";

const fleet = createFleetClient(fleetConfigFromEnv(process.env));

const HOUR = 3_600_000;
try {
  const { job } = await fleet.createJob({
    jobTitle: "Deliver 4 pallets",
    address: "Quai Perrache 10, 69002 Lyon, France",
    vehicleName: "Truck 12",
    arrivalWindowStart: new Date(Date.now() + HOUR),
    arrivalWindowEnd: new Date(Date.now() + 2 * HOUR),
  });
  console.log(`${job?.jobNumber} is ${job?.status}`);
} catch (error) {
  if (!(error instanceof FleetError && error.code === "unknownOutcome")) throw error;
  console.log(`Look for job ${error.jobNumber} before you try again`);
}

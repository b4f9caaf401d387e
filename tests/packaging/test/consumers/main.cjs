// A user's CommonJS program, run by tarballs.test.ts against the packed package.
const { createFleetClient, FleetError } = require("@fleetwire/core");
const { listLivePositions } = require("@fleetwire/core/operations/list-live-positions");
const { createFleetTools } = require("@fleetwire/tools");
const document = require("@fleetwire/core/openapi.json");

const servers = { base: process.env.ORIGIN };
const options = { customerId: "c42", credentials: { clientId: "id", clientSecret: "secret" }, servers };
const fleet = createFleetClient(options);

async function main() {
  const [position] = await fleet.listLivePositions({ vehicleIds: ["v1"] });
  const { metadata } = await fleet.listLivePositions.withMetadata();
  const refused = await fleet.listLivePositions({ vehicelIds: ["v1"] }).catch((error) => error);
  const code = refused instanceof FleetError ? refused.code : "none";
  const path = listLivePositions.path in document.paths;
  const { structured } = await createFleetTools(options).call("locate_vehicle", { query: "truck 12" });
  console.log(JSON.stringify([position.assetName, metadata.status, code, path, structured.vehicle.assetName]));
}

main();

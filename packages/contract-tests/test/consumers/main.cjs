// A user's program of CommonJS, run by consumers.test.ts against the packed package.
const { createFleetClient, FleetError } = require("@fleetwire/core");
const { listLivePositions } = require("@fleetwire/core/operations/list-live-positions");
const document = require("@fleetwire/core/openapi.json");

const servers = { base: process.env.ORIGIN };
const fleet = createFleetClient({ customerId: "c42", credentials: { clientId: "id", clientSecret: "secret" }, servers });

async function main() {
  const [position] = await fleet.listLivePositions({ vehicleIds: ["v1"] });
  const { metadata } = await fleet.listLivePositions.withMetadata();
  const refused = await fleet.listLivePositions({ vehicelIds: ["v1"] }).catch((error) => error);
  const code = refused instanceof FleetError ? refused.code : "none";
  const path = listLivePositions.path in document.paths;
  console.log(JSON.stringify([position.assetName, metadata.status, code, path]));
}

main();

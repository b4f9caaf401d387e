// A user's untyped program, run by tarballs.test.ts against the packed package.
import { createFleetClient, FleetError } from "@fleetwire/core";
import document from "@fleetwire/core/openapi.json" with { type: "json" };
import { listLivePositions } from "@fleetwire/core/operations/list-live-positions";
import { createFleetTools } from "@fleetwire/tools";

const servers = { base: process.env.ORIGIN };
const options = { customerId: "c42", credentials: { clientId: "id", clientSecret: "secret" }, servers };
const fleet = createFleetClient(options);
const [position] = await fleet.listLivePositions({ vehicleIds: ["v1"] });
const { metadata } = await fleet.listLivePositions.withMetadata();
const refused = await fleet.listLivePositions({ vehicelIds: ["v1"] }).catch((error) => error);
const code = refused instanceof FleetError ? refused.code : "none";
const path = listLivePositions.path in document.paths;
const { structured } = await createFleetTools(options).call("locate_vehicle", { query: "truck 12" });
console.log(JSON.stringify([position.assetName, metadata.status, code, path, structured.vehicle.assetName]));

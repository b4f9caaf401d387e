// A user's program, compiled and run by consumers.test.ts against the packed package.
import { createFleetClient, FleetError, LivePosition } from "@fleetwire/core";
import { listLivePositions } from "@fleetwire/core/operations/list-live-positions";

const origin = String(process.env["ORIGIN"]);
const fleet = createFleetClient({ customerId: "c42", credentials: { clientId: "id", clientSecret: "secret" }, servers: { base: origin } });

const known: LivePosition = { assetName: "Truck 12", eventType: "driving" };
LivePosition.parse(known);

const positions: LivePosition[] = await fleet.listLivePositions({ vehicleIds: ["v1"], fromDateTime: new Date(0) });
const { metadata } = await fleet.listLivePositions.withMetadata();
// @ts-expect-error no such field in the answer
positions[0]?.assetNmae;
// @ts-expect-error no such field in the input
const refused: unknown = await fleet.listLivePositions({ vehicelIds: ["v1"] }).catch((error: unknown) => error);

const code = refused instanceof FleetError ? refused.code : "none";
console.log(JSON.stringify([positions[0]?.assetName, metadata.status, code, listLivePositions.path.includes("tracking")]));

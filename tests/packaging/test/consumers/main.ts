// A user's program, compiled and run by tarballs.test.ts against the packed package.
import { createFleetClient, FleetError, LivePosition } from "@fleetwire/core";
import { listLivePositions } from "@fleetwire/core/operations/list-live-positions";
import { createFleetTools, type FleetToolsConfig } from "@fleetwire/tools";

const origin = String(process.env["ORIGIN"]);
const options: FleetToolsConfig = {
  customerId: "c42",
  credentials: { clientId: "id", clientSecret: "secret" },
  servers: { base: origin },
  readOnly: true,
};
const fleet = createFleetClient(options);

const known: LivePosition = { assetName: "Truck 12", eventType: "driving" };
LivePosition.parse(known);

const positions: LivePosition[] = await fleet.listLivePositions({ vehicleIds: ["v1"], fromDateTime: new Date(0) });
const { metadata } = await fleet.listLivePositions.withMetadata();
// @ts-expect-error no such field in the response
positions[0]?.assetNmae;
// @ts-expect-error no such field in the input
const refused: unknown = await fleet.listLivePositions({ vehicelIds: ["v1"] }).catch((error: unknown) => error);

const code = refused instanceof FleetError ? refused.code : "none";
const tools = createFleetTools(options);
const found = await tools.call("locate_vehicle", { query: "truck 12" });
// @ts-expect-error no such call option
await tools.byName.get("summarize_fleet")?.execute({}, { aproved: true });
const vehicle = found.ok ? (found.structured["vehicle"] as LivePosition) : undefined;
console.log(
  JSON.stringify([positions[0]?.assetName, metadata.status, code, listLivePositions.path.includes("tracking"), vehicle?.assetName]),
);

import type { ElicitResult } from "@modelcontextprotocol/client";
import type { Script } from "../../tools/test/fleet-service.ts";
import type { ServerUnderTest } from "./server-under-test.ts";

export const PLACE = { address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" };

export const FLEET = [
  { assetId: "v1", assetName: "Truck 1", assetGroupId: "north", driverId: "p1", driverName: "Anna", driverGroupId: "south" },
  { assetId: "v2", assetName: "Van 7", assetGroupId: "south", driverId: "p2", driverName: "Bert", driverGroupId: "north" },
  { assetId: "v3", assetName: "Truck 3", assetGroupId: "north" },
  { assetId: "v12", assetName: "Truck 12" },
];

/** A service that accepts every write. */
export const script: Script = {
  createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }),
  updateGroup: () => ({ body: { id: "north", name: "North depot" } }),
  listLivePositions: () => ({ body: FLEET }),
};

export const writes: [tool: string, args: Record<string, unknown>, operation: "createJob" | "updateGroup"][] = [
  ["create_job", PLACE, "createJob"],
  ["update_group", { id: "north", vehicleIds: ["v1", "v2"] }, "updateGroup"],
];

/** Writes wait for approval, the default. */
export const APPROVED = { FLEET_CONFIRM: "auto" };

// biome-ignore lint/suspicious/noExplicitAny: hosts send what they like
export const accept = (content?: any): ElicitResult => ({ action: "accept", ...(content !== undefined && { content }) });

/** A user who gives every question the same reply, and the questions. */
export function userWho(reply: ElicitResult) {
  const asked: string[] = [];
  const person = (message: string) => {
    asked.push(message);
    return reply;
  };
  return { asked, person };
}

export const KEY = Buffer.alloc(32, 7).toString("base64");

/** The environment of another process with the same fleet and key. */
export const twinOf = ({ service: { origin } }: Pick<ServerUnderTest, "service">): Record<string, string> => ({
  FLEET_SEAL_KEY: KEY,
  ...Object.fromEntries(["BASE_URL", "API_HOST", "JOB_URL", "TACHO_URL", "AUTH_URL"].map((name) => [`FLEET_${name}`, origin])),
});

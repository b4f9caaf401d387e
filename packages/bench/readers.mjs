// Ways to read live positions: our client, handwritten code and other typed clients.
import { createFleetClient, operations } from "@fleetwire/core";
import { initClient, initContract } from "@ts-rest/core";
import { Zodios } from "@zodios/core";
import { ofetch } from "ofetch";
import { olderSchemaOf } from "./older-schema.mjs";

const PATH = "/public/v1/customer/c1/tracking/live";
const authorization = `Basic ${btoa("id:secret")}`;
const headers = { authorization, accept: "application/json" };
const { output } = operations.listLivePositions;

export function fleetAt(base, more = {}) {
  return createFleetClient({ customerId: "c1", credentials: { clientId: "id", clientSecret: "secret" }, servers: { base }, ...more });
}

const older = olderSchemaOf(output);

const contract = initContract().router({
  livePositions: { method: "GET", path: PATH, responses: { 200: older }, validateResponseOnClient: true },
});

export async function readBare(base) {
  const response = await fetch(`${base}${PATH}`, { headers });
  return JSON.parse(await response.text());
}

/** Each reads one list and returns its records. Clients that reject a response because of their schema are measured until they do. */
export const readers = {
  "bare fetch, JSON.parse": { read: readBare },
  "the same again (control)": { read: readBare },
  "fleetwire, drift reported": { read: (base) => fleetAt(base, { onDrift: () => {} }).listLivePositions() },
  "fleetwire, unchecked (control)": { read: (base) => fleetAt(base, { authSchemes: { listTireEvents: "basic" } }).listTireEvents() },
  "ofetch, zod 4": { read: async (base) => output.parse(await ofetch(`${base}${PATH}`, { headers, retry: 0 })), peer: true },
  "ts-rest, zod 3": {
    read: async (base) =>
      (await initClient(contract, { baseUrl: base, baseHeaders: headers, validateResponse: true }).livePositions()).body,
    peer: true,
  },
  "zodios, zod 3": {
    read: (base) => new Zodios(base, [{ method: "get", path: PATH, response: older, alias: "livePositions" }]).livePositions({ headers }),
    peer: true,
  },
};

import { createFleetClient } from "@fleetwire/core";

export function fleetAt(base, more = {}) {
  return createFleetClient({ customerId: "c1", credentials: { clientId: "id", clientSecret: "secret" }, servers: { base }, ...more });
}

export const read = (base) => fleetAt(base, { onDrift: () => {} }).listLivePositions();

/** An operation without an output schema, at the same service: what the client costs without its checks. */
export const readUnchecked = (base) => fleetAt(base, { authSchemes: { listTireEvents: "basic" } }).listTireEvents();

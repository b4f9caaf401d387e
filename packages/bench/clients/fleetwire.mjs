import { createFleetClient } from "@fleetwire/core";

export function fleetAt(base, more = {}) {
  return createFleetClient({ customerId: "c1", credentials: { clientId: "id", clientSecret: "secret" }, servers: { base }, ...more });
}

export function open(base) {
  const fleet = fleetAt(base, { onDrift: () => {} });
  return () => fleet.listLivePositions();
}

/** An operation without an output schema, at the same service: what the client costs without its checks. */
export function openUnchecked(base) {
  const fleet = fleetAt(base, { authSchemes: { listTireEvents: "basic" } });
  return () => fleet.listTireEvents();
}

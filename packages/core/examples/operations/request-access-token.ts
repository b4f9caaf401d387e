import { createFleetClient, FleetError, fleetConfigFromEnv } from "@fleetwire/core";

const fleet = createFleetClient(fleetConfigFromEnv(process.env));

// The client requests tokens for its own calls: call this to check credentials, or to use a token elsewhere.
try {
  const { token_type, expires_in } = await fleet.requestAccessToken();
  console.log(`The credentials are valid: a ${token_type} token for ${expires_in} s`);
} catch (error) {
  if (!(error instanceof FleetError && error.code === "unauthorized")) throw error;
  console.log(`The credentials are wrong. ${error.advice}`);
}

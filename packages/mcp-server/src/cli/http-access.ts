import { bearerAccess } from "../callers/bearer-access.ts";
import { oauthCallers } from "../callers/oauth-callers.ts";
import { fileTokens } from "../callers/token-file.ts";
import { type Access, openAccess } from "../http/access.ts";
import { deferredConsole } from "../http/console.ts";
import type { HttpLimits } from "../http/limits.ts";
import type { ServedFleet } from "../http/served-fleet.ts";
import type { ProcessLog } from "../log.ts";
import type { SharedState } from "../replicas/shared-state.ts";
import { fleetsByCaller, tenantFleet } from "../tenants/tenant-fleet.ts";
import { createFleet } from "./create-fleet.ts";
import type { HttpConfig } from "./http-config.ts";
import { packageVersion } from "./package-version.ts";

/** The fleets by the customer named in the token, or the only fleet. */
function fleetsOf(
  { server, tenants = [], sandbox = false, callerAuth }: HttpConfig,
  log: ProcessLog,
  { subscriptions }: HttpLimits,
  shared?: SharedState,
) {
  const createClient: typeof createFleet = (config, ...more) =>
    createFleet(shared ? { ...config, tokenStore: shared.tokenStore(config) } : config, ...more);
  const common = { createClient, writeStore: shared?.writeStore, log, version: packageVersion(), maxSubscriptions: subscriptions };
  // The console does not authenticate callers.
  const page = callerAuth === "none" ? { createPage: deferredConsole } : {};
  if (server) return tenantFleet({ ...common, ...page, config: { ...server, ...(sandbox && { sandbox }) } });
  // A token in the file names its tenant; an access token has a claim with one of the tenant's callers.
  const called = tenants.map((tenant) => (callerAuth === "token" ? { ...tenant, callers: [tenant.name] } : tenant));
  return fleetsByCaller(called, ({ name, config }) => tenantFleet({ ...common, tenant: name, config, log: log.child({ tenant: name }) }));
}

/** Decides who may call, and whose fleet they reach, as the configuration says. */
export function accessOf(config: HttpConfig, log: ProcessLog, limits: HttpLimits, shared?: SharedState): Access {
  const fleets = fleetsOf(config, log, limits, shared);
  const { callerAuth, values } = config;
  const { FLEET_PUBLIC_URL: url, FLEET_OAUTH_ISSUER: issuerUrl, FLEET_TOKENS_FILE: tokensFile } = values;
  if (callerAuth === "token" && tokensFile !== undefined) return bearerAccess({ verify: fileTokens(tokensFile, log), fleets, log });
  if (callerAuth === "oauth" && url !== undefined && issuerUrl !== undefined) {
    const { FLEET_OAUTH_AUDIENCE: audience, FLEET_TENANT_CLAIM: tenantClaim } = values;
    return bearerAccess({ ...oauthCallers({ issuer: issuerUrl, publicUrl: url, audience, tenantClaim }), fleets, log });
  }
  // Only with FLEET_CALLER_AUTH=none, with which a tenants file is rejected.
  return openAccess(fleets as ServedFleet);
}

import { bearerAccess } from "../callers/bearer-access.ts";
import { issuerMetadata, metadataDocuments } from "../callers/oauth-metadata.ts";
import { oauthTokens } from "../callers/oauth-tokens.ts";
import { fileTokens } from "../callers/token-file.ts";
import { type Access, openAccess } from "../http/access.ts";
import type { HttpLimits } from "../http/limits.ts";
import type { ServedFleet } from "../http/served-fleet.ts";
import type { Logger } from "../log.ts";
import { tenantFleet } from "../tenants/tenant-fleet.ts";
import type { HttpConfig } from "./http-config.ts";
import { packageVersion } from "./package-version.ts";

const TENANT_CLAIM = "tenant";

/** The fleets by what tokens say of the customer, or the only one. */
function fleetsOf({ server, tenants = [], sandbox = false }: HttpConfig, log: Logger, { subscriptions }: HttpLimits) {
  const common = { log, version: packageVersion(), maxSubscriptions: subscriptions };
  if (server) return tenantFleet({ ...common, config: { ...server, ...(sandbox && { sandbox }) } });
  return new Map<string, ServedFleet>(
    tenants.flatMap(({ name, callers, config }) => {
      const fleet = tenantFleet({ ...common, tenant: name, config, log: log.child({ tenant: name }) });
      return callers.map((caller) => [caller, fleet] as const);
    }),
  );
}

/** Decides who may call, and whose fleet they reach, as the configuration says. */
export function accessOf(config: HttpConfig, log: Logger, limits: HttpLimits): Access {
  const fleets = fleetsOf(config, log, limits);
  const { callerAuth, values } = config;
  const { FLEET_PUBLIC_URL: url, FLEET_OAUTH_ISSUER: issuerUrl, FLEET_TOKENS_FILE: tokensFile } = values;
  if (callerAuth === "token" && tokensFile !== undefined) return bearerAccess({ verify: fileTokens(tokensFile, log), fleets });
  if (callerAuth === "oauth" && url !== undefined && issuerUrl !== undefined) {
    // An issuer without a path has no slash at the end, which a URL would add.
    const issuer = issuerUrl.pathname === "/" ? issuerUrl.origin : issuerUrl.href;
    const metadata = issuerMetadata(issuer);
    const { FLEET_OAUTH_AUDIENCE: audience = url.href, FLEET_TENANT_CLAIM: tenantClaim = TENANT_CLAIM } = values;
    const verify = oauthTokens({ issuer, audience, tenantClaim, metadata });
    return bearerAccess({ verify, fleets, ...metadataDocuments(url, issuer, metadata) });
  }
  // Only with FLEET_CALLER_AUTH=none, with which a tenants file is rejected.
  return openAccess(fleets as ServedFleet);
}

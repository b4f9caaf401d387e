import { type CallHooks, FleetError } from "@fleetwire/core";
import { type BearerAccess, bearerAccess } from "../callers/bearer-access.ts";
import { oauthCallers } from "../callers/oauth-callers.ts";
import { fileTokens } from "../callers/token-file.ts";
import { type Access, openAccess } from "../http/access.ts";
import { deferredConsole } from "../http/console.ts";
import type { HttpLimits } from "../http/limits.ts";
import type { ServedFleet } from "../http/served-fleet.ts";
import type { ProcessLog, ServerLog } from "../log.ts";
import type { SharedState } from "../replicas/shared-state.ts";
import type { ServerConfig } from "../server-config.ts";
import type { CodeFlow } from "../sign-in/code-flow.ts";
import { teamConsole } from "../sign-in/team-console.ts";
import type { Telemetry } from "../telemetry/start-telemetry.ts";
import { fleetsByCaller, tenantFleet } from "../tenants/tenant-fleet.ts";
import { RuleEvents } from "../watch/rule-events.ts";
import { createFleet } from "./create-fleet.ts";
import type { HttpConfig } from "./http-config.ts";
import { packageVersion } from "./package-version.ts";

/** The fleets by the customer named in the token, or the only fleet. */
function fleetsOf(
  { server, tenants = [], sandbox = false, callerAuth, values }: HttpConfig,
  log: ProcessLog,
  { subscriptions }: HttpLimits,
  shared?: SharedState,
  telemetry?: Telemetry,
) {
  const createClient = (config: ServerConfig, ofTenant: ServerLog, hooks?: CallHooks) =>
    createFleet(shared ? { ...config, tokenStore: shared.tokenStore(config) } : config, ofTenant, hooks, telemetry);
  const hosts = values.FLEET_PUBLIC_URL ? [values.FLEET_PUBLIC_URL.hostname] : [];
  const pageWith =
    (rules: string | undefined, ofTenant: ServerLog): NonNullable<Parameters<typeof tenantFleet>[0]["createPage"]> =>
    (tools, config) => {
      const events = rules === undefined ? undefined : new RuleEvents({ tools, path: rules, config, log: ofTenant });
      return deferredConsole(tools, config, { hosts, events });
    };
  const common = {
    createClient,
    observer: telemetry?.observeRequest,
    writeStore: shared?.writeStore,
    log,
    version: packageVersion(),
    maxSubscriptions: subscriptions,
  };
  if (server)
    return tenantFleet({ ...common, createPage: pageWith(values.FLEET_RULES, log), config: { ...server, ...(sandbox && { sandbox }) } });
  // A token in the file names its tenant; an access token has a claim with one of the tenant's callers.
  const called = tenants.map((tenant) => (callerAuth === "token" ? { ...tenant, callers: [tenant.name] } : tenant));
  return fleetsByCaller(called, ({ name, config, rules }) => {
    const ofTenant = log.child({ tenant: name });
    try {
      return tenantFleet({ ...common, createPage: pageWith(rules, ofTenant), tenant: name, config, log: ofTenant });
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      throw new FleetError(error.code, `${name}: ${error.message}`, { advice: error.advice });
    }
  });
}

/** Decides who may call, and whose fleet they reach, as the configuration says. */
export function accessOf(config: HttpConfig, log: ProcessLog, limits: HttpLimits, shared?: SharedState, telemetry?: Telemetry): Access {
  const fleets = fleetsOf(config, log, limits, shared, telemetry);
  const { callerAuth, values } = config;
  const { FLEET_PUBLIC_URL: url, FLEET_OAUTH_ISSUER: issuerUrl, FLEET_TOKENS_FILE: tokensFile } = values;
  const withConsole = (access: BearerAccess, flow?: () => Promise<CodeFlow>): Access => {
    const { identify, ...common } = access;
    const teamPage = teamConsole({ identify, fleets: access.fleets, publicUrl: url, sealKey: config.sealKey, codeFlow: flow, log });
    return { ...common, teamPage };
  };
  if (callerAuth === "token" && tokensFile !== undefined)
    return withConsole(bearerAccess({ verify: fileTokens(tokensFile, log, limits.tokenCheckMs), fleets, log }));
  if (callerAuth === "oauth" && url !== undefined && issuerUrl !== undefined) {
    const { FLEET_OAUTH_AUDIENCE: audience, FLEET_TENANT_CLAIM: tenantClaim, FLEET_CONSOLE_CLIENT_ID: clientId } = values;
    const { issuer, ...callers } = oauthCallers({ issuer: issuerUrl, publicUrl: url, audience, tenantClaim }, log);
    // Loaded by the first sign-in, from the bundle: nothing else needs the SDK's client.
    const load = async (id: string) => (await import("../sign-in/code-flow.ts")).codeFlow(id, url, issuer);
    const flow = clientId === undefined ? undefined : () => load(clientId);
    return withConsole(bearerAccess({ ...callers, fleets, log }), flow);
  }
  // Only with FLEET_CALLER_AUTH=none, with which a tenants file is rejected.
  return openAccess(fleets as ServedFleet);
}

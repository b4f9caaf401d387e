import { FleetError } from "@fleetwire/core";
import { type BearerAccess, bearerAccess } from "../callers/bearer-access.ts";
import { oauthCallers } from "../callers/oauth-callers.ts";
import { fileTokens } from "../callers/token-file.ts";
import { type Access, openAccess } from "../http/access.ts";
import { deferredConsole } from "../http/console.ts";
import { Fleet, fleetsByCaller } from "../http/fleet.ts";
import type { HttpLimits } from "../http/limits.ts";
import type { ProcessLog, ServerLog } from "../log.ts";
import type { SharedState } from "../replicas/shared-state.ts";
import type { CodeFlow } from "../sign-in/code-flow.ts";
import { teamConsole } from "../sign-in/team-console.ts";
import type { Telemetry } from "../telemetry/start-telemetry.ts";
import type { Tenant } from "../tenants/tenants-file.ts";
import { RuleEvents } from "../watch/rule-events.ts";
import { createFleet } from "./create-fleet.ts";
import type { HttpConfig } from "./http-config.ts";
import { packageVersion } from "./print.ts";

/** The fleets by the customer named in the token, or the only fleet. */
function fleetsOf(
  { server, tenants = [], sandbox = false, callerAuth, values }: HttpConfig,
  log: ProcessLog,
  { subscriptions: maxSubscriptions }: HttpLimits,
  shared?: SharedState,
  telemetry?: Telemetry,
) {
  const hosts = values.FLEET_PUBLIC_URL ? [values.FLEET_PUBLIC_URL.hostname] : [];
  const open = ({ config, rules, name }: Pick<Tenant, "config" | "rules"> & { name?: string }, ofTenant: ServerLog) =>
    new Fleet({
      ...{ config, tenant: name, log: ofTenant, version: packageVersion(), maxSubscriptions },
      ...{ observer: telemetry?.observeRequest, writeStore: shared?.writeStore },
      createClient: (hooks) =>
        createFleet(shared ? { ...config, tokenStore: shared.tokenStore(config) } : config, ofTenant, hooks, telemetry),
      createPage: (tools) => {
        const events = rules === undefined ? undefined : new RuleEvents({ tools, path: rules, config, log: ofTenant });
        return deferredConsole(tools, config, { hosts, events });
      },
    });
  if (server) return open({ config: { ...server, ...(sandbox && { sandbox }) }, rules: values.FLEET_RULES }, log);
  // A token in the file names its tenant; an access token has a claim with one of the tenant's callers.
  const called = tenants.map((tenant) => (callerAuth === "token" ? { ...tenant, callers: [tenant.name] } : tenant));
  return fleetsByCaller(called, (tenant) => {
    try {
      return open(tenant, log.child({ tenant: tenant.name }));
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      throw new FleetError(error.code, `${tenant.name}: ${error.message}`, { advice: error.advice });
    }
  });
}

/** Decides who may call, and whose fleet they reach, as the configuration says. */
export function accessOf(config: HttpConfig, log: ProcessLog, limits: HttpLimits, shared?: SharedState, telemetry?: Telemetry): Access {
  const fleets = fleetsOf(config, log, limits, shared, telemetry);
  // With FLEET_CALLER_AUTH=none, a tenants file is rejected.
  if (config.callerAuth === "none") return openAccess(fleets as Fleet);
  const { FLEET_PUBLIC_URL: publicUrl, FLEET_OAUTH_ISSUER: issuerUrl, FLEET_TOKENS_FILE: tokensFile = "" } = config.values;
  const withConsole = ({ identify, ...access }: BearerAccess, codeFlow?: () => Promise<CodeFlow>): Access => ({
    ...access,
    teamPage: teamConsole({ identify, fleets: access.fleets, publicUrl, sealKey: config.sealKey, codeFlow, log }),
  });
  if (config.callerAuth === "token" || publicUrl === undefined || issuerUrl === undefined)
    return withConsole(bearerAccess({ verify: fileTokens(tokensFile, log, limits.tokenCheckMs), fleets, log }));
  const { FLEET_OAUTH_AUDIENCE: audience, FLEET_TENANT_CLAIM: tenantClaim, FLEET_CONSOLE_CLIENT_ID: clientId } = config.values;
  const { issuer, ...callers } = oauthCallers({ issuer: issuerUrl, publicUrl, audience, tenantClaim }, log);
  // Loaded by the first sign-in, from the bundle: nothing else needs the SDK's client.
  const load = async (id: string) => (await import("../sign-in/code-flow.ts")).codeFlow(id, publicUrl, issuer);
  return withConsole(bearerAccess({ ...callers, fleets, log }), clientId === undefined ? undefined : () => load(clientId));
}

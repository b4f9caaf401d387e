import { type FleetService, fleetService } from "../../tools/test/fleet-service.ts";
import type { HttpLimits } from "../src/fetch.ts";
import { type Served, served, tenantsFile, tokensFile } from "./callers-under-test.ts";

/** The settings of a customer, whose secrets are in the variables ID_NAME and SECRET_NAME. */
export const tenantSettings = (name: string, origin: string) => ({
  FLEET_CUSTOMER_ID: `c${name}`,
  FLEET_CLIENT_ID: { env: `ID_${name.toUpperCase()}` },
  FLEET_CLIENT_SECRET: { env: `SECRET_${name.toUpperCase()}` },
  FLEET_BASE_URL: origin,
  FLEET_JOB_URL: origin,
  FLEET_TACHO_URL: origin,
  FLEET_AUTH_URL: origin,
});

interface TenantsUnderTest<Name extends string> {
  server: Served;
  /** A token for each customer, which may write. */
  tokens: Record<Name, string>;
  /** Each customer's own service, which knows one truck. */
  services: Record<Name, FleetService>;
}

/** A server with several customers. */
export async function tenantsUnderTest<Name extends string>(
  customers: Record<Name, { callers?: string[]; settings?: Record<string, string> }>,
  env: Record<string, string> = {},
  limits: Partial<HttpLimits> = {},
): Promise<TenantsUnderTest<Name>> {
  const names = Object.keys(customers) as Name[];
  const tenants: Parameters<typeof tenantsFile>[0] = {};
  const secrets: Record<string, string> = {};
  const services = {} as Record<Name, FleetService>;
  for (const name of names) {
    const position = { assetId: `${name}12`, assetName: "Truck 12", assetRegistration: `${name}-12`, date: "2026-11-20T08:30:00Z" };
    services[name] = await fleetService(
      {
        listLivePositions: () => ({ body: [position] }),
        createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }),
      },
      undefined,
      `c${name}`,
    );
    const { callers, settings } = customers[name];
    tenants[name] = { ...(callers && { callers }), settings: { ...tenantSettings(name, services[name].origin), ...settings } };
    Object.assign(secrets, { [`ID_${name.toUpperCase()}`]: `id-${name}`, [`SECRET_${name.toUpperCase()}`]: `canary-${name}` });
  }
  const holder = (tenant: Name) => ({ scopes: ["fleet:read", "fleet:write"] as const, tenant });
  const { file, tokens } = tokensFile(
    Object.fromEntries(names.map((name) => [name, holder(name)])) as Record<Name, ReturnType<typeof holder>>,
  );
  const callers = env["FLEET_CALLER_AUTH"] === "oauth" ? {} : { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file };
  const server = await served(
    { FLEET_TENANTS_FILE: tenantsFile(tenants), FLEET_CONFIRM: "never", FLEET_TIME_ZONE: "UTC", ...secrets, ...callers, ...env },
    limits,
  );
  return { server, tokens, services };
}

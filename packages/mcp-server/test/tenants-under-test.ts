import { type FleetService, fleetService } from "../../tools/test/served-fleet.ts";
import { BOTH, type Setup, served, tenantsFile, tokensFile } from "./callers-under-test.ts";

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

type Customer = { callers?: string[]; settings?: Record<string, unknown> };

/** Each customer's own service, which knows one truck, and the variables of a server with these customers. */
export async function customersUnderTest<Name extends string>(customers: Record<Name, Customer>) {
  const tenants: Parameters<typeof tenantsFile>[0] = {};
  const services = {} as Record<Name, FleetService>;
  const env: Record<string, string> = { FLEET_CONFIRM: "never", FLEET_TIME_ZONE: "UTC" };
  for (const [name, { callers, settings }] of Object.entries<Customer>(customers)) {
    const position = { assetId: `${name}12`, assetName: "Truck 12", assetRegistration: `${name}-12`, date: new Date().toISOString() };
    const script = { listLivePositions: () => ({ body: [position] }), createJob: () => ({ body: { job: { jobId: "j1" } } }) };
    const service = await fleetService(script, undefined, `c${name}`);
    services[name as Name] = service;
    tenants[name] = { ...(callers && { callers }), settings: { ...tenantSettings(name, service.origin), ...settings } };
    Object.assign(env, { [`ID_${name.toUpperCase()}`]: `id-${name}`, [`SECRET_${name.toUpperCase()}`]: `canary-${name}` });
  }
  return { services, env: { ...env, FLEET_TENANTS_FILE: tenantsFile(tenants) } as Record<string, string> };
}

/** A server with several customers, and a token for each, which may write. */
export async function tenantsUnderTest<Name extends string>(given: Record<Name, Customer>, { env = {}, limits = {} }: Setup = {}) {
  const customers = await customersUnderTest(given);
  const holders = Object.keys(given).map((tenant) => [tenant, { ...BOTH, tenant }] as const);
  const { file, tokens } = tokensFile<string>(Object.fromEntries(holders));
  const callers = env["FLEET_CALLER_AUTH"] === "oauth" ? {} : { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file };
  return { ...customers, server: await served({ ...customers.env, ...callers, ...env }, limits), tokens: tokens as Record<Name, string> };
}

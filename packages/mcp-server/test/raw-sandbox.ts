import { createSandbox, type Sandbox } from "@fleetwire/sandbox";

type Fields = Record<string, unknown>;

/** A position as sent by the service. */
export interface RawPosition extends Fields {
  assetId: string;
  assetName: string;
  assetRegistration: string;
  assetGroupId: string;
  assetGroupName: string;
  assetType: string;
  driverId?: string;
  driverName?: string;
  latitude: number;
  longitude: number;
  date: string;
  eventType: string;
  privacy: boolean;
  locationName?: string;
  formattedAddress: string;
  fuelLevelPercentage?: number;
  electricCharging?: boolean;
}

export interface RawSandbox {
  sandbox: Sandbox;
  positions(query?: string): Promise<RawPosition[]>;
  faults(query: string): Promise<{ items: { assetName: string; faults: { code: string }[] }[] }>;
  tacho(body: object): Promise<{ data: { driverId: string; activities: { activity: string; startTime: string; endTime?: string }[] }[] }>;
  jobs(): Promise<{ jobs: Fields[] }>;
}

/** A sandbox at a fixed time, and its plain HTTP responses: facts independent of the client and the tools. */
export function rawSandbox(now: number): RawSandbox {
  const sandbox = createSandbox({ seed: 1, vehicles: 50, clock: () => now });
  const { env } = sandbox;
  const basic = { authorization: `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}` };
  const customer = `customer/${env["FLEET_CUSTOMER_ID"]}`;
  const read = async (url: string, init: RequestInit): Promise<never> => (await (await sandbox.fetch(url, init)).json()) as never;
  const token = async () => {
    const headers = { ...basic, "content-type": "application/x-www-form-urlencoded" };
    const url = `${env["FLEET_AUTH_URL"]}/vendor-oauth/oauth/accessToken`;
    const token = (await read(url, { method: "POST", headers, body: "grant_type=client_credentials" })) as { accessToken: string };
    return token.accessToken;
  };
  const base = `${env["FLEET_BASE_URL"]}/public/v1/${customer}`;
  return {
    sandbox,
    positions: (query = "") => read(`${base}/tracking/live${query}`, { headers: basic }),
    faults: (query) => read(`${base}/vehicle/faults${query}`, { headers: basic }),
    tacho: async (body) =>
      read(`${env["FLEET_TACHO_URL"]}/bvfm/services/public/v1/${customer}/tacho/activity`, {
        method: "POST",
        headers: { authorization: `Bearer ${await token()}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    jobs: async () =>
      read(`${env["FLEET_API_HOST"]}/job-management/v1/${customer}/jobs`, { headers: { "x-connect-token": `TOKEN ${await token()}` } }),
  };
}

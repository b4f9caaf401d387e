import { createSandbox } from "@fleetwire/sandbox";

/** A record as the service sends it. The exam uses no schema, so that a mistake in ours cannot hide in the expected answers. */
// biome-ignore lint/suspicious/noExplicitAny: records are read as they come.
export type Wire = Record<string, any>;

export const WORLDS = {
  november: { seed: 1, vehicles: 50, now: "2026-11-19T10:30:00Z" },
  /** Two trucks have a red stop lamp. */
  september: { seed: 1, vehicles: 50, now: "2026-09-24T15:30:00Z" },
  /** Drivers share names here, and towns have names in several languages. */
  large: { seed: 1, vehicles: 200, now: "2026-11-19T10:30:00Z" },
  /** A Saturday after ordinary weeks: a team, broken rules, holidays, missing records, and trucks that were taken home. */
  weekend: { seed: 1, vehicles: 50, now: "2026-11-21T10:30:00Z", rhythm: "week" },
} as const satisfies Record<string, { seed: number; vehicles: number; now: string; rhythm?: "week" }>;

export type WorldName = keyof typeof WORLDS;

/** A record written before the question is asked. */
export type Write = { job: Wire } | { renameGroup: string; to: string };

export interface Fault extends Wire {
  vehicle: Wire;
  open: boolean;
  start: number;
  /** Infinity for an open fault. */
  end: number;
}

export interface Activity extends Wire {
  activity: string;
  start: number;
  /** At most now. */
  end: number;
}

export interface World {
  now: number;
  /** Vehicles in service. */
  vehicles: Wire[];
  sold: Wire[];
  faults: Fault[];
  /** By driver id. */
  activities: Map<string, Activity[]>;
  jobs: Wire[];
  tireEvents: Wire[];
}

export function startSandbox(name: WorldName) {
  const { now, ...fleet } = WORLDS[name];
  return createSandbox({ ...fleet, clock: () => Date.parse(now) });
}

type Env = Record<string, string>;
type Fetch = typeof fetch;

async function send(fetch: Fetch, url: string, init: { method?: string; headers: Record<string, string>; body?: string }): Promise<Wire> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${init.method ?? "GET"} ${new URL(url).pathname}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Wire;
}

async function connect(env: Env, fetch: Fetch) {
  const basic = `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}`;
  const { accessToken } = await send(fetch, `${env["FLEET_AUTH_URL"]}/vendor-oauth/oauth/accessToken`, {
    method: "POST",
    headers: { authorization: basic, "content-type": "application/x-www-form-urlencoded" },
    body: "grant_type=client_credentials",
  });
  const json = { "content-type": "application/json" };
  return {
    core: `${env["FLEET_BASE_URL"]}/public/v1/customer/${env["FLEET_CUSTOMER_ID"]}`,
    basic: { ...json, authorization: basic },
    bearer: { ...json, authorization: `Bearer ${accessToken}` },
    job: { ...json, "x-connect-token": `TOKEN ${accessToken}` },
  };
}

/** A driver has an entry for each card. */
function activitiesByDriver(entries: readonly Wire[], now: number): World["activities"] {
  const found: World["activities"] = new Map();
  for (const { driverId, activities } of entries) {
    const read = activities.map((activity: Wire) => ({
      ...activity,
      start: Date.parse(activity["startTime"]),
      end: activity["inProgress"] ? now : Math.min(now, Date.parse(activity["endTime"])),
    }));
    found.set(driverId, [...(found.get(driverId) ?? []), ...read]);
  }
  return found;
}

/** Reads everything the service has, over plain HTTP. */
export async function readWorld(env: Env, now: number, fetch: Fetch = globalThis.fetch): Promise<World> {
  const { core, basic, bearer, job } = await connect(env, fetch);
  const customer = env["FLEET_CUSTOMER_ID"];
  const [positions, faults, tacho, jobs, tires] = await Promise.all([
    send(fetch, `${core}/tracking/live?showAllVehicleStatus=true`, { headers: basic }),
    send(fetch, `${core}/vehicle/faults?pageSize=500`, { headers: basic }),
    send(fetch, `${env["FLEET_TACHO_URL"]}/bvfm/services/public/v1/customer/${customer}/tacho/activity`, {
      method: "POST",
      headers: bearer,
      body: JSON.stringify({ startTime: wireTime(now - 30 * DAY), endTime: wireTime(now), limit: 1000 }),
    }),
    send(fetch, `${env["FLEET_API_HOST"]}/job-management/v1/customer/${customer}/jobs`, { headers: job }),
    send(fetch, `${core}/tire/events`, { headers: bearer }),
  ]);
  const all = positions as unknown as Wire[];
  if (faults["pagination"].totalPages > 1) throw new Error("The faults do not fit on one page");
  return {
    now,
    vehicles: all.filter((vehicle) => vehicle["status"] !== "SOLD"),
    sold: all.filter((vehicle) => vehicle["status"] === "SOLD"),
    faults: faults["items"].flatMap((item: Wire) => {
      const vehicle = all.find(({ assetId }) => assetId === item["id"]) ?? item;
      return item["faults"].map((fault: Wire) => ({
        ...fault,
        vehicle,
        open: fault["inProgress"],
        start: Date.parse(fault["startDate"]),
        end: fault["inProgress"] ? Infinity : Date.parse(fault["endDate"]),
      }));
    }),
    activities: activitiesByDriver(tacho["data"], now),
    jobs: jobs["jobs"],
    tireEvents: tires["events"],
  };
}

/** Makes a question's writes over plain HTTP. */
export async function writeRecords(env: Env, writes: readonly Write[], fetch: Fetch = globalThis.fetch) {
  const { core, basic, job } = await connect(env, fetch);
  for (const write of writes) {
    if ("job" in write) {
      const url = `${env["FLEET_JOB_URL"]}/jobs/job/create`;
      const { errors } = await send(fetch, url, { method: "POST", headers: job, body: JSON.stringify(write.job) });
      if (errors?.length) throw new Error(`A job of the exam was rejected: ${JSON.stringify(errors)}`);
    } else {
      const positions = (await send(fetch, `${core}/tracking/live`, { headers: basic })) as unknown as Wire[];
      const id = positions.find(({ assetGroupName }) => assetGroupName === write.renameGroup)?.["assetGroupId"];
      await send(fetch, `${core}/group`, { method: "PUT", headers: basic, body: JSON.stringify({ id, name: write.to }) });
    }
  }
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const wireTime = (time: number) => new Date(time).toISOString().slice(0, 19);

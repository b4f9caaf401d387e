import { type FleetClient, type FleetConfig, type Operation, operations, type ServerName } from "@fleetwire/core";
import { toolAvailability } from "../available-tools.ts";
import { toFailure } from "../results/failure.ts";

export interface Finding {
  what: string;
  ok: boolean;
  said: string;
}

const CHECK_TIMEOUT = 10_000;
const BUDGET = 1_000;

/** The cheapest call of each operation that only reads. */
const READS: { [Name in keyof typeof operations]?: (fleet: FleetClient, now: Date) => Promise<unknown> } = {
  requestAccessToken: (fleet) => fleet.requestAccessToken({}, { timeout: CHECK_TIMEOUT }),
  listLivePositions: (fleet, now) => fleet.listLivePositions({ fromDateTime: now }, { timeout: CHECK_TIMEOUT }),
  listVehicleFaults: (fleet) => fleet.listVehicleFaults({ pageSize: 1, pageIndex: 0 }, { timeout: CHECK_TIMEOUT }),
  queryTachoActivity: (fleet, now) =>
    fleet.queryTachoActivity({ startTime: new Date(now.getTime() - 60_000), endTime: now, limit: 1 }, { timeout: CHECK_TIMEOUT }),
  listTireEvents: (fleet) => fleet.listTireEvents({}, { timeout: CHECK_TIMEOUT }),
  listJobs: (fleet) => fleet.listJobs({}, { timeout: CHECK_TIMEOUT }),
};

/** Whether anything answers at a server, without credentials. */
async function answers(address: string): Promise<boolean> {
  try {
    await fetch(new URL(address).origin, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(CHECK_TIMEOUT) });
    return true;
  } catch {
    return false;
  }
}

async function checkOperation(operation: Operation, { servers }: FleetConfig, fleet: FleetClient): Promise<Finding> {
  const what = operation.name;
  const server = operation.servers.find((name: ServerName) => servers[name] !== undefined);
  const read = READS[operation.name as keyof typeof operations];
  const startedAt = performance.now();
  if (!read) {
    const ok = server !== undefined && (await answers(servers[server] as string));
    return { what, ok, said: ok ? "its server answers; not called, for it would change something" : "nothing answers at its server" };
  }
  try {
    await read(fleet, new Date());
    return { what, ok: true, said: `answered in ${Math.round(performance.now() - startedAt)} ms` };
  } catch (error) {
    // Only what a model could be told too: no address, no secret.
    return { what, ok: false, said: toFailure(error, BUDGET).error };
  }
}

/** What is offered and why the rest is not, and whether what is offered can be reached with these credentials. */
export async function diagnose(config: FleetConfig, fleet: FleetClient): Promise<{ tools: Finding[]; service: Finding[] }> {
  const availability = toolAvailability(config);
  const tools = availability.map((entry): Finding => {
    return { what: entry.tool.name, ok: entry.available, said: entry.available ? "" : entry.why };
  });
  const called = new Set(availability.flatMap(({ tool, available }) => (available ? tool.operations : [])));
  const token = config.servers.auth === undefined ? [] : [operations.requestAccessToken as Operation];
  // One after the other: the first failure of the credentials then explains those that follow.
  const service: Finding[] = [];
  for (const operation of [...token, ...called]) service.push(await checkOperation(operation, config, fleet));
  return { tools, service };
}

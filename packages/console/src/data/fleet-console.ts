import { FleetError, type FleetErrorCode, Job, type LivePosition, operations } from "@fleetwire/core";
import { isRecord, parseDateTime } from "@fleetwire/core/internal";
import type { DrivingTime } from "@fleetwire/driving-time";
import {
  type ActivityWords,
  callRead,
  contextOf,
  type Fault,
  faultsOfVehicle,
  findRecords,
  fold,
  fullRecords,
  limitedClient,
  type Position,
  readActivities,
  readFleet,
  readHours,
  resolveName,
  singleLine,
  type ToolContext,
  withDeadline,
  wordsOf,
} from "@fleetwire/tools/internal";

/** A part of the console: its value or, in our own words, why there is none. */
export type Section<Value> = { value: Value } | { problem: string };

const LONGEST_PROBLEM = 300;

/** Reads a part of the console. Parts fail independently, since each comes from a different server of the service. */
async function section<Value>(read: () => Promise<Value>): Promise<Section<Value>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    return { problem: singleLine(error.summary, LONGEST_PROBLEM) };
  }
}

const DAY = 24 * 60 * 60_000;

/** What a driver did, in milliseconds since 1970. */
interface DayActivity {
  /** Undefined if `word` has no known meaning: see FLEET_ACTIVITY_WORDS. */
  kind: ActivityWords[string] | undefined;
  word: string;
  start: number;
  end: number;
}

/** The last 24 hours of a vehicle's driver. */
interface DriverDay {
  start: number;
  end: number;
  activities: DayActivity[];
  /** The driver's times under Regulation (EC) 561/2006; absent if the tachograph has a word of unknown meaning. */
  time?: Pick<DrivingTime, "activity" | "sinceBreak" | "day" | "left">;
}

/** Reads what the driver of a vehicle did until `at`; undefined if there is no driver or nothing is recorded. */
async function readDriverDay({ driverId, driverName }: Position, at: number, context: ToolContext): Promise<DriverDay | undefined> {
  const drivers = await (await readFleet(context)).drivers();
  const driver = drivers.get(driverId ?? driverName)?.value;
  const [hours] = driver ? (await readHours({ drivers: [driver] }, at, context)).hours : [];
  if (!hours) return undefined;
  const words = wordsOf(context.settings);
  const start = at - DAY;
  const activities = readActivities(hours.record.activities, words, at).flatMap((read) => {
    if (!read) return [];
    const [from, to] = [Math.max(start, read.start), Math.min(at, read.end ?? at)];
    return from < to ? [{ kind: read.kind, word: read.word, start: from, end: to }] : [];
  });
  const { time } = hours;
  return {
    start,
    end: at,
    activities: activities.toSorted((a, b) => a.start - b.start),
    ...(time && { time: { activity: time.activity, sinceBreak: time.sinceBreak, day: time.day, left: time.left } }),
  };
}

/** The vehicles that changed since an earlier read. */
interface PositionChanges {
  /** Pass it to the next read. */
  version: string;
  /** Whether `vehicles` contains all vehicles, because the requested version is unknown. */
  complete: boolean;
  vehicles: readonly Position[];
  /** The total number of vehicles. If it differs after you apply the changes, some have left the fleet: read again without a version. */
  total: number;
}

/** Numbers positions in the order in which they are first seen. The view replaces a vehicle's position only when it has changed. */
function positionVersions(epoch: string): (positions: readonly Position[], since: string | undefined) => PositionChanges {
  const versions = new WeakMap<Position, number>();
  let latest = 0;
  return (positions, since) => {
    const next = latest + 1;
    for (const position of positions) {
      if (versions.has(position)) continue;
      versions.set(position, next);
      latest = next;
    }
    const [from, number] = since?.split(".") ?? [];
    const known = from === epoch && /^\d+$/.test(String(number)) ? Number(number) : undefined;
    return {
      version: `${epoch}.${latest}`,
      complete: known === undefined,
      vehicles: known === undefined ? positions : positions.filter((position) => (versions.get(position) as number) > known),
      total: positions.length,
    };
  };
}

/** The current fleet, or what has changed in it. */
export interface ConsoleFleet extends PositionChanges {
  /** Age of the data in milliseconds. */
  age: number;
  /** Why there is no newer data; undefined unless the service fails. */
  failure?: FleetErrorCode | undefined;
}

/** The vehicles that match a query: one, several equally good ones, or those with the nearest names. Never a guess. */
export interface ConsoleSearch {
  result: "found" | "ambiguous" | "notFound";
  vehicleIds: string[];
}

/** Everything about one vehicle except its jobs, which are read with those of the fleet. */
export interface ConsoleVehicle {
  position: LivePosition;
  /** Open ones first, then by date, latest first. */
  faults: Section<Fault[]>;
  /** `undefined` as a value if the vehicle has no driver, or no tachograph. */
  day: Section<DriverDay | undefined>;
}

const jobFields = [
  "jobId",
  "jobNumber",
  "jobTitle",
  "address",
  "status",
  "vehicleId",
  "vehicleName",
  "personName",
  "arrivalWindowStart",
  "arrivalWindowEnd",
  "scheduledStartDateTime",
  "eta",
] as const satisfies readonly (keyof typeof Job.shape)[];

export type ConsoleJob = Pick<Job, (typeof jobFields)[number]>;

/** Reads the jobs. The fields of the response are undocumented (interface 4.6), so fields that do not look like those of a job are left out. */
async function readJobs(context: ToolContext): Promise<ConsoleJob[]> {
  const { listJobs } = operations;
  const records = findRecords(await callRead(listJobs, {}, context), listJobs.path)?.records ?? [];
  return records.filter(isRecord).map((record) => {
    const shown = jobFields.flatMap((field) => {
      const { success, data } = Job.shape[field].safeParse(record[field]);
      return success && data !== undefined ? [[field, data]] : [];
    });
    return Object.fromEntries(shown) as ConsoleJob;
  });
}

/** What a console shows people about a fleet. Read-only; records are masked as for models, and come from the same view. */
export interface FleetConsole {
  /** The vehicles that changed since the given version; without a version, all vehicles. */
  fleet: (since?: string) => Promise<Section<ConsoleFleet>>;
  search: (query: string) => Promise<Section<ConsoleSearch>>;
  /** `undefined` as a value if the fleet has no such vehicle. */
  vehicle: (assetId: string) => Promise<Section<ConsoleVehicle | undefined>>;
  jobs: () => Promise<Section<ConsoleJob[]>>;
}

const TIMEOUT = 30_000;
const MAX_FOUND = 100;

/** Finds vehicles by partly typed names, unlike the resolver, which never guesses the rest of a word. */
function startingWith(query: string, positions: readonly Position[]): Position[] {
  const typed = fold(query).trim();
  const starts = (name: string | undefined) => name !== undefined && ` ${fold(name)}`.includes(` ${typed}`);
  return positions.filter(({ assetName, assetRegistration, driverName, assetGroupName }) =>
    [assetName, assetRegistration, driverName, assetGroupName].some(starts),
  );
}

async function searchVehicles(query: string, context: ToolContext): Promise<ConsoleSearch> {
  const { positions, vehicles } = await readFleet(context);
  const resolution = await resolveName(query, vehicles);
  const idsOf = (found: readonly Position[]) => found.slice(0, MAX_FOUND).flatMap(({ assetId }) => assetId ?? []);
  if (resolution.result === "found") return { result: "found", vehicleIds: idsOf([resolution.match.value]) };
  if (resolution.result === "ambiguous") return { result: "ambiguous", vehicleIds: idsOf(resolution.matches.map(({ value }) => value)) };
  const started = startingWith(query, positions);
  if (started.length > 0) return { result: "ambiguous", vehicleIds: idsOf(started) };
  return { result: "notFound", vehicleIds: idsOf(await resolution.nearest()) };
}

async function readFaults(vehicleId: string, context: ToolContext): Promise<Fault[]> {
  const faults = await faultsOfVehicle(vehicleId, context);
  const startOf = ({ startDate }: Fault) => parseDateTime(startDate) ?? 0;
  return faults.toSorted((a, b) => Number(b.inProgress ?? false) - Number(a.inProgress ?? false) || startOf(b) - startOf(a));
}

/**
 * Creates a console for the fleet of these tools.
 *
 * @param now Returns the service's time in milliseconds since 1970. @default the clock of the tools
 */
export function createFleetConsole(tools: object, now?: () => number): FleetConsole {
  const context = contextOf(tools);
  const clock = now ?? context.now;
  const changes = positionVersions(crypto.randomUUID());
  const bounded = <Value>(read: (bounded: ToolContext) => Promise<Value>) =>
    section(() =>
      withDeadline(TIMEOUT, undefined, (signal) => read({ ...context, fleet: limitedClient(context.fleet), callOptions: { signal } })),
    );
  return {
    fleet: (since) =>
      bounded(async ({ callOptions, reader }) => {
        const { view, age, failure } = await reader.read(callOptions);
        return { ...changes(view.positions, since), age, failure };
      }),
    search: (query) => bounded((within) => searchVehicles(query, within)),
    vehicle: (assetId) =>
      bounded(async (within) => {
        const known = (await readFleet(within)).vehicles.get(assetId)?.value;
        if (!known) return undefined;
        const [position, faults, day] = await Promise.all([
          section(async () => (await fullRecords([known], within))[0] ?? known),
          section(() => readFaults(assetId, within)),
          section(() => readDriverDay(known, clock(), within)),
        ]);
        return { position: "value" in position ? position.value : known, faults, day };
      }),
    jobs: () => bounded(readJobs),
  };
}

import {
  type LivePosition,
  type Operation,
  type OperationName,
  operations,
  type TachoActivityPage,
  type VehicleFaultsPage,
} from "@fleetwire/core";
import { parseDateTime, probeContextOf } from "@fleetwire/core/internal";

type Json = Record<string, unknown>;

/** The results of earlier calls by step name. */
export type Seen = ReadonlyMap<string, unknown>;

/** One call to a deployment. */
export interface Step {
  /** The name of the recorded fixture. */
  name: string;
  title: string;
  operation: OperationName;
  writes?: true;
  /** The input, or undefined if earlier results provide none. */
  input: (seen: Seen, now: Date) => Json | undefined;
  /** For a later page: the step that requests the first one. */
  firstPage?: string;
}

const DAY = 86_400_000;
const PAGE_SIZE = 5;

const positions = (seen: Seen) => (seen.get("list-live-positions") ?? []) as LivePosition[];
const idsOf = (seen: Seen, field: "assetId" | "driverId" | "assetGroupId"): string[] => {
  const ids = positions(seen).flatMap((position) => position[field] ?? []);
  return [...new Set(ids)].filter((id) => /^[A-Za-z0-9]+$/.test(id)).slice(0, 2);
};
const filtered = (ids: string[], field: string) => (ids.length > 0 ? { [field]: ids } : undefined);

const tachoDay = (seen: Seen) => (seen.get("query-tacho-activity-day") ?? {}) as Partial<TachoActivityPage>;
/** A tachograph query filtered by a value seen on the last day. */
const ofTachoDay = (
  seen: Seen,
  now: Date,
  field: string,
  valuesOf: (driver: TachoActivityPage["data"][number]) => (string | undefined)[],
) => {
  const value = tachoDay(seen)
    .data?.flatMap(valuesOf)
    .find((text) => text !== undefined && text !== "");
  return value === undefined ? undefined : { ...lastDay(now), limit: PAGE_SIZE, [field]: [value] };
};

const lastDay = (now: Date) => ({ startTime: new Date(now.getTime() - DAY).toISOString(), endTime: now.toISOString() });

/** Calls made in place of an operation's probe, on any deployment: filters, later pages, and writes that change little or nothing. */
const CALLS: { readonly [Name in OperationName]?: readonly Omit<Step, "operation" | "writes">[] } = {
  listLivePositions: [
    { name: "list-live-positions", title: "All positions", input: () => ({}) },
    {
      name: "list-live-positions-by-vehicles",
      title: "Positions of two vehicles",
      input: (seen) => filtered(idsOf(seen, "assetId"), "vehicleIds"),
    },
    {
      name: "list-live-positions-by-drivers",
      title: "Positions of two drivers",
      input: (seen) => filtered(idsOf(seen, "driverId"), "driverIds"),
    },
    {
      name: "list-live-positions-by-groups",
      title: "Positions of two groups",
      input: (seen) => filtered(idsOf(seen, "assetGroupId"), "groupIds"),
    },
    {
      name: "list-live-positions-since",
      title: "Positions since a given time",
      input: (seen) => {
        const instants = positions(seen).flatMap(({ date }) => parseDateTime(date) ?? []);
        return instants.length === 0 ? undefined : { fromDateTime: new Date(instants.sort((a, b) => b - a)[0] as number).toISOString() };
      },
    },
    {
      name: "list-live-positions-every-status",
      title: "Positions including sold vehicles",
      input: () => ({ showAllVehicleStatus: true, hideSpeedIfSpeedSensitive: true }),
    },
  ],
  listVehicleFaults: [
    {
      name: "list-vehicle-faults-first-page",
      title: "The first page of faults",
      input: () => ({ pageSize: PAGE_SIZE, pageIndex: 0 }),
    },
    {
      name: "list-vehicle-faults-second-page",
      title: "The second page of faults",
      input: (seen) => {
        const { pagination } = (seen.get("list-vehicle-faults-first-page") ?? {}) as VehicleFaultsPage;
        return (pagination?.totalPages ?? 0) > 1 ? { pageSize: PAGE_SIZE, pageIndex: 1 } : undefined;
      },
      firstPage: "list-vehicle-faults-first-page",
    },
    {
      name: "list-vehicle-faults-of-a-vehicle",
      title: "Faults of one vehicle",
      input: (seen) => {
        const { items = [] } = (seen.get("list-vehicle-faults-first-page") ?? {}) as VehicleFaultsPage;
        const id = items[0]?.id;
        return id !== undefined && /^[A-Za-z0-9]+$/.test(id) ? { vehicleId: id } : undefined;
      },
    },
  ],
  queryTachoActivity: [
    {
      name: "query-tacho-activity-day",
      title: "Tachograph activities of a day",
      input: (_, now) => ({ ...lastDay(now), limit: PAGE_SIZE, skip: 0 }),
    },
    {
      name: "query-tacho-activity-sorted",
      title: "Tachograph activities, sorted",
      input: (_, now) => ({ ...lastDay(now), limit: PAGE_SIZE, sort: { driverKey: "ASC" } }),
    },
    {
      name: "query-tacho-activity-second-page",
      title: "The second page of tachograph activities",
      input: (seen, now) => ((tachoDay(seen).count ?? 0) > PAGE_SIZE ? { ...lastDay(now), limit: PAGE_SIZE, skip: PAGE_SIZE } : undefined),
      firstPage: "query-tacho-activity-day",
    },
    {
      name: "query-tacho-activity-of-a-driver",
      title: "Tachograph activities of one driver",
      input: (seen, now) => ofTachoDay(seen, now, "driverKeys", ({ driverKey }) => [driverKey]),
    },
    {
      name: "query-tacho-activity-of-a-vehicle",
      title: "Tachograph activities in one vehicle",
      input: (seen, now) =>
        ofTachoDay(seen, now, "registrations", ({ activities = [] }) => activities.map(({ assetRegistration }) => assetRegistration)),
    },
  ],
  updateGroup: [
    {
      name: "update-group-unchanged",
      title: "A group's name is set to its current one",
      input: (seen) => {
        const group = positions(seen).find(
          ({ assetGroupId, assetGroupName }) => /^[a-z0-9]{1,24}$/.test(assetGroupId ?? "") && assetGroupName,
        );
        return group && { id: group.assetGroupId, name: group.assetGroupName };
      },
    },
  ],
  createJob: [
    {
      name: "create-job",
      title: "A job at an address",
      input: (_, now) => ({
        jobTitle: `Contract check ${now.toISOString().slice(0, 16)}, may be deleted`,
        address: "Quai Perrache 10, 69002 Lyon, France",
      }),
    },
  ],
};

/** The token comes first, since other calls need it, then live positions, which provide ids for filters; writes come last. */
const ORDER = [operations.requestAccessToken.name, operations.listLivePositions.name];
const placeOf = ({ name, effect }: Operation) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length + Number(effect !== "read"));

/** The cheapest call of a read operation. */
function probeOf({ name, summary, probe }: Operation): Step[] {
  if (!probe) return [];
  const step = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const input = (seen: Seen, now: Date): Json | undefined => {
    const probeInput = probe(probeContextOf(positions(seen), now));
    // Fixtures contain plain JSON.
    return probeInput === undefined ? undefined : JSON.parse(JSON.stringify(probeInput));
  };
  return [{ name: step, title: summary, operation: name as OperationName, input }];
}

/** The calls to make: for each operation, those in {@link CALLS}, or its probe if it is not listed there. */
export function callPlanOf(all: Readonly<Record<string, Operation>>): readonly Step[] {
  const inOrder = Object.values(all).toSorted((a, b) => placeOf(a) - placeOf(b));
  return inOrder.flatMap((operation) => {
    const name = operation.name as OperationName;
    const listed = CALLS[name]?.map((step): Step => ({ ...step, operation: name, ...(operation.effect !== "read" && { writes: true }) }));
    return listed ?? probeOf(operation);
  });
}

/** Calls of every operation of the interface, reads first, that work on any deployment. */
export const callPlan: readonly Step[] = callPlanOf(operations);

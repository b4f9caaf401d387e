import type { LivePosition, OperationName, TachoActivityPage, VehicleFaultsPage } from "@fleetwire/core";

type Json = Record<string, unknown>;

/** What earlier calls of a run gave, by the names of their steps. */
export type Seen = ReadonlyMap<string, unknown>;

/** One call of a run over a deployment. */
export interface Step {
  /** Of the fixture that it becomes. */
  name: string;
  title: string;
  operation: OperationName;
  writes?: true;
  /** The input, or undefined where what was seen so far does not lead to any. */
  input: (seen: Seen, now: Date) => Json | undefined;
  /** The step that asks for the first of the pages of which this asks for a later one. */
  turnedFrom?: string;
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
/** One value of the drivers of a day as a filter, which leaves the others out. */
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

/** Every operation of the interface, reads first, each in ways that any deployment can answer. */
export const callPlan: readonly Step[] = [
  { name: "request-access-token", title: "A token is granted", operation: "requestAccessToken", input: () => ({}) },
  { name: "list-live-positions", title: "All positions", operation: "listLivePositions", input: () => ({}) },
  {
    name: "list-live-positions-by-vehicles",
    title: "Positions of two vehicles",
    operation: "listLivePositions",
    input: (seen) => filtered(idsOf(seen, "assetId"), "vehicleIds"),
  },
  {
    name: "list-live-positions-by-drivers",
    title: "Positions of two drivers",
    operation: "listLivePositions",
    input: (seen) => filtered(idsOf(seen, "driverId"), "driverIds"),
  },
  {
    name: "list-live-positions-by-groups",
    title: "Positions of two groups",
    operation: "listLivePositions",
    input: (seen) => filtered(idsOf(seen, "assetGroupId"), "groupIds"),
  },
  {
    name: "list-live-positions-every-status",
    title: "Positions of sold vehicles too",
    operation: "listLivePositions",
    input: () => ({ showAllVehicleStatus: true, hideSpeedIfSpeedSensitive: true }),
  },
  {
    name: "list-vehicle-faults-first-page",
    title: "The first page of faults",
    operation: "listVehicleFaults",
    input: () => ({ pageSize: PAGE_SIZE, pageIndex: 0 }),
  },
  {
    name: "list-vehicle-faults-second-page",
    title: "The second page of faults",
    operation: "listVehicleFaults",
    input: (seen) => {
      const { pagination } = (seen.get("list-vehicle-faults-first-page") ?? {}) as VehicleFaultsPage;
      return (pagination?.totalPages ?? 0) > 1 ? { pageSize: PAGE_SIZE, pageIndex: 1 } : undefined;
    },
    turnedFrom: "list-vehicle-faults-first-page",
  },
  {
    name: "list-vehicle-faults-of-a-vehicle",
    title: "Faults of one vehicle",
    operation: "listVehicleFaults",
    input: (seen) => {
      const { items = [] } = (seen.get("list-vehicle-faults-first-page") ?? {}) as VehicleFaultsPage;
      const id = items[0]?.id;
      return id !== undefined && /^[A-Za-z0-9]+$/.test(id) ? { vehicleId: id } : undefined;
    },
  },
  {
    name: "query-tacho-activity-day",
    title: "Tachograph activities of a day",
    operation: "queryTachoActivity",
    input: (_, now) => ({ ...lastDay(now), limit: PAGE_SIZE, skip: 0 }),
  },
  {
    name: "query-tacho-activity-sorted",
    title: "Tachograph activities, sorted",
    operation: "queryTachoActivity",
    input: (_, now) => ({ ...lastDay(now), limit: PAGE_SIZE, sort: { driverKey: "ASC" } }),
  },
  {
    name: "query-tacho-activity-second-page",
    title: "The second page of tachograph activities",
    operation: "queryTachoActivity",
    input: (seen, now) => ((tachoDay(seen).count ?? 0) > PAGE_SIZE ? { ...lastDay(now), limit: PAGE_SIZE, skip: PAGE_SIZE } : undefined),
    turnedFrom: "query-tacho-activity-day",
  },
  {
    name: "query-tacho-activity-of-a-driver",
    title: "Tachograph activities of one driver",
    operation: "queryTachoActivity",
    input: (seen, now) => ofTachoDay(seen, now, "driverKeys", ({ driverKey }) => [driverKey]),
  },
  {
    name: "query-tacho-activity-of-a-vehicle",
    title: "Tachograph activities in one vehicle",
    operation: "queryTachoActivity",
    input: (seen, now) =>
      ofTachoDay(seen, now, "registrations", ({ activities = [] }) => activities.map(({ assetRegistration }) => assetRegistration)),
  },
  { name: "list-tire-events", title: "Tire events", operation: "listTireEvents", input: () => ({}) },
  { name: "list-jobs", title: "Jobs", operation: "listJobs", input: () => ({}) },
  {
    name: "update-group-unchanged",
    title: "A group is given the name that it has",
    operation: "updateGroup",
    writes: true,
    input: (seen) => {
      const group = positions(seen).find(
        ({ assetGroupId, assetGroupName }) => /^[a-z0-9]{1,24}$/.test(assetGroupId ?? "") && assetGroupName,
      );
      return group && { id: group.assetGroupId, name: group.assetGroupName };
    },
  },
  {
    name: "create-job",
    title: "A job at an address",
    operation: "createJob",
    writes: true,
    input: (_, now) => ({
      jobTitle: `Contract check ${now.toISOString().slice(0, 16)}, may be deleted`,
      address: "Quai Perrache 10, 69002 Lyon, France",
    }),
  },
];

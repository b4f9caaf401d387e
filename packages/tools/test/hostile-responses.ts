import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { hostileOutput } from "@fleetwire/core/samples";
import { fleetOf, HOSTILE_TEXTS } from "./canned-fleet.ts";
import type { Reply, Script } from "./fleet-service.ts";

export const long = 'Ab|\n"\\ '.repeat(1_500);

export const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

export const many = (count: number, of: (index: number) => [string, unknown]): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => of(index)));

const keys = (count: number, length = 0) => many(count, (index) => [`key ${index}\n${"x".repeat(length)}`, index]);

const nested = (depth: number): unknown =>
  depth === 0 ? "end" : depth % 2 === 0 ? { inner: nested(depth - 1), b: "beside" } : [nested(depth - 1), 1];

/** A record with an oversized value in each of the given fields. */
const swollen = (fields: string) =>
  Object.fromEntries(fields.split(" ").map((field, index) => [field, index % 5 === 4 ? Object.values(HOSTILE_TEXTS).join(" ") : long]));

export const POSITION = swollen(
  "assetName assetRegistration eventType city country date driverName assetVin status road formattedAddress locationName",
);
export const FAULT = swollen("description code startDate endDate");
export const RECORD = { ...swollen("number title notes place"), list: times(40, long), inner: nested(40) };

const ACTIVITY = swollen("startTime endTime type activity vehicleFriendlyName assetRegistration");
const HUGE = Number.MAX_SAFE_INTEGER;

type Responses = Partial<Record<OperationName, unknown>>;

/** Changes every object in a value, innermost first, and repeats the items of object lists up to `count`. */
function everywhere(value: unknown, change: (record: Record<string, unknown>) => unknown, count = 1): unknown {
  if (Array.isArray(value)) return value.flatMap((item) => times(typeof item === "object" ? count : 1, everywhere(item, change, count)));
  if (typeof value !== "object" || value === null) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, everywhere(inner, change, count)])));
}

/** Responses of operations without one below, derived from their schemas. */
const DERIVED: Record<string, (operation: Operation) => unknown> = {
  "huge texts in every field": (operation) => hostileOutput(operation, long),
  "thousands of keys": (operation) => everywhere(hostileOutput(operation, "x"), (record) => ({ ...record, ...keys(3_000) })),
  "huge counts": (operation) => everywhere(hostileOutput(operation, "x"), (record) => record, 500),
  "deep JSON": (operation) => everywhere(hostileOutput(operation, "x"), (record) => ({ ...record, more: nested(500) })),
};

const offered = Object.values<Operation>(operations).filter(({ tool }) => tool);

const withDerived = (what: string, responses: Responses): Record<string, unknown> => ({
  ...Object.fromEntries(offered.map((operation) => [operation.name, DERIVED[what]?.(operation)])),
  ...responses,
});

const RESPONSES: Record<string, Responses> = {
  "huge texts in every field": {
    listLivePositions: times(5, { ...POSITION, tags: times(40, long), activeFaultCodes: times(1_000, "P1") }),
    listVehicleFaults: {
      items: times(3, {
        ...swollen("id assetName assetRegistration make"),
        faults: times(3, { ...FAULT, details: { lamps: times(40, long), fmi: long } }),
      }),
    },
    queryTachoActivity: { count: 3, data: times(3, { ...swollen("driverId driverKey"), activities: times(3, ACTIVITY) }) },
    listJobs: { jobs: times(5, RECORD), label: long, [long]: long },
    listTireEvents: RECORD,
    createJob: {
      job: { jobNumber: "J1", ...RECORD, jobHistory: times(40, { name: long }) },
      errors: times(30, { field: long, message: long }),
    },
    updateGroup: { id: "north", name: long, path: long, vehicleIds: times(9_000, "v1"), ...RECORD },
  },
  "thousands of keys": {
    listLivePositions: times(3, keys(3_000, 99)),
    listVehicleFaults: { items: [{ id: "v1", ...keys(3_000), faults: [keys(3_000)] }] },
    queryTachoActivity: { count: 1, data: [{ driverId: "p1", activities: [keys(3_000)] }] },
    listJobs: { jobs: times(3, keys(3_000)), ...keys(3_000, 99) },
    listTireEvents: many(3_000, (index) => [`${index}${"x".repeat(500)}`, { index }]),
    createJob: { job: { jobId: "j1", ...keys(3_000, 99) } },
    updateGroup: { id: "north", ...keys(3_000) },
  },
  "huge counts": {
    listLivePositions: fleetOf(1_000).map((position) => ({ ...position, odometer: Number.MAX_VALUE, speed: 5e-324, heading: -1e300 })),
    listVehicleFaults: {
      items: times(500, { id: "v1", faults: times(9, { code: "P1" }) }),
      pagination: { totalItems: HUGE, totalPages: HUGE },
    },
    queryTachoActivity: { count: HUGE, data: times(500, { driverId: "p1", activities: times(9, { activity: "x", duration: 1e300 }) }) },
    listJobs: { jobs: times(9_000, { jobNumber: "J1", value: 1e300 }), total: 1e300 },
    listTireEvents: times(9_000, [1, 2, 3]),
    createJob: { job: { jobNumber: "J1", orderNumbers: times(9_000, "o") } },
    updateGroup: { id: "north", vehicleIds: times(9_000, "v1"), personIds: times(9_000, "p1") },
  },
  "deep JSON": {
    listLivePositions: [{ assetName: "x", more: nested(500) }],
    listVehicleFaults: { items: [{ id: "v1", faults: [{ code: "P1", details: nested(500) }] }] },
    queryTachoActivity: { count: 1, data: [{ driverId: "p1", activities: [{ activity: "x", more: nested(500) }] }] },
    listJobs: { jobs: times(5, { value: nested(500), list: [[[[[[[[[[1]]]]]]]]]] }) },
    listTireEvents: `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    createJob: `{"job": {"jobNumber": "J1", "x": ${'{"a":['.repeat(9_000)}${"]}".repeat(9_000)}}}`,
    updateGroup: `{"id": "north", "x": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
  },
};

/** A script that returns each response as is, serialized once. */
function scriptOf(responses: Record<string, unknown>, status: number): Script {
  const replies = Object.entries(responses).map(([operation, response]): [string, () => Reply] => {
    const body = typeof response === "string" ? response : JSON.stringify(response);
    return [operation, () => ({ status, body })];
  });
  return Object.fromEntries(replies);
}

export const HOSTILE_RESPONSES: [string, Script][] = Object.entries(RESPONSES).map(([what, responses]) => [
  what,
  scriptOf(withDerived(what, responses), 200),
]);

const refusal = times(30, { errorCode: 1, errorMessage: long, offendingFields: times(3, long) });

export const HOSTILE_REFUSALS: Script = scriptOf(Object.fromEntries(offered.map(({ name }) => [name, refusal])), 400);

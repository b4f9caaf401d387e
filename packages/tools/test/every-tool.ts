import { metadataOf, type Operation, operations } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import { hostileOutput } from "@fleetwire/core/samples";
import * as z from "zod";
import { catalogue } from "../src/index.ts";
import { type Script, tokenReply } from "./fleet-service.ts";

const position = (text: string) => ({
  ...{ assetId: "v1", driverId: "p1", assetGroupId: "north", date: "2026-11-20T08:30:00Z", latitude: 45.7, longitude: 4.8 },
  ...{ assetName: text, assetRegistration: text, driverName: text, assetGroupName: text, formattedAddress: text, city: text },
  ...{ country: text, locationName: text, eventType: text, energyType: text, assetType: text, activeFaultCodes: [text], status: text },
});

/** A service that returns the same text everywhere. */
export const scriptOf = (text: string): Script => {
  const activity = {
    activity: text,
    type: text,
    vehicleFriendlyName: text,
    startTime: "2026-11-19T06:00:00Z",
    endTime: "2026-11-19T07:00:00Z",
  };
  const fault = { code: text, description: text, details: { source: text } };
  const job = { jobNumber: "J1", notes: text, address: text };
  const bodies: Record<string, unknown> = {
    listLivePositions: [position(text)],
    listVehicleFaults: { items: [{ id: "v1", assetName: text, faults: [fault] }] },
    queryTachoActivity: { count: 1, data: [{ driverId: "p1", driverKey: "k1", activities: [activity] }] },
    listJobs: { jobs: [{ ...job, personName: text, more: { notes: [text] } }], note: text },
    listTireEvents: { events: [{ tire: text, comment: text }], note: text },
    createJob: { job: { ...job, jobHistory: [{ name: text }] }, errors: [{ field: "notes", message: text }] },
    updateGroup: { id: "north", name: text, path: "root.north" },
  };
  return {
    ...scriptWith((operation) => bodies[operation.name] ?? hostileOutput(operation, text)),
    requestAccessToken: () => tokenReply,
  };
};

/** A response to every operation. */
const scriptWith = (bodyOf: (operation: Operation) => unknown): Script =>
  Object.fromEntries(Object.values<Operation>(operations).map((operation) => [operation.name, () => ({ body: bodyOf(operation) })]));

const DAY = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z" };

const OWN_CALLS: [string, Record<string, unknown>][] = [
  ["locate_vehicle", { query: "v1" }],
  ["find_nearest_vehicles", { to: "45.7, 4.8", driveHours: 1 }],
  ["summarize_fleet", {}],
  ["list_live_positions", { where: "activeFaultCodes!=none" }],
  ["driver_hours", {}],
  ["summarize_driver_activity", { period: "2026-11-19" }],
  ["driver_infringements", { period: "2026-11-19" }],
  ["trips_and_stops", { period: "2026-11-19" }],
  ["trips_and_stops", { vehicle: "v1", period: "2026-11-19" }],
  ["where_was", { vehicle: "v1", time: "2026-11-19T06:30:00Z" }],
  ["list_live_positions", { fields: ["assetId", "assetName", "driverName", "formattedAddress", "locationName", "status", "date"] }],
  ["list_vehicle_faults", { fields: ["id", "assetName", "code", "description", "source"] }],
  ["query_tacho_activity", DAY],
  ["list_jobs", { fields: ["jobNumber", "notes", "address", "personName", "more"] }],
  ["list_tire_events", {}],
  ["create_job", { address: "Lyon" }],
  ["update_group", { id: "north", name: "N" }],
  ["watch_fleet", { when: "starts", who: "v1" }],
];

/** A call of every tool, with responses that contain records. Tools without an entry above get what they require. */
export const CALLS: [string, Record<string, unknown>][] = [
  ...OWN_CALLS,
  ...catalogue
    .filter(({ name }) => !OWN_CALLS.some(([known]) => known === name))
    .map(({ name, inputJsonSchema }): [string, Record<string, unknown>] => {
      const { required = [] } = inputJsonSchema as { required?: string[] };
      return [name, Object.fromEntries(required.map((field) => [field, "v1"]))];
    }),
];

/** What a test of privacy must not find: a driver's name, and two values of places. */
export const SECRETS = { name: "Zoe Zebra-Quist", place: "somewhere-secret", degrees: 12.345678 };

/** A response in which every guard marks the journey as private, and withheld values differ from all others. */
function madePrivate(schema: z.ZodType, value: unknown): unknown {
  const { guard, withheld } = metadataOf(schema) ?? {};
  if (guard !== undefined) return guard;
  if (withheld) return typeof value === "number" ? SECRETS.degrees : SECRETS.place;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return madePrivate(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => madePrivate(schema.element as z.ZodType, item));
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, madePrivate(field as z.ZodType, value[name])]));
}

/** A copy of a response in which the count at a path is 1, so that the first page is the last. */
function withCount(body: unknown, [name = "", ...path]: readonly string[]): unknown {
  return isRecord(body) ? { ...body, [name]: withCount(body[name], path) } : 1;
}

/** An operation's response on a private journey, with a driver's name in every string that is neither an id nor a time. */
export function privateBody(operation: Operation): unknown {
  const { name } = SECRETS;
  if (operation.undocumented) return { list: [{ driver: name, more: [name] }], by: name };
  const { paging } = operation;
  const counts = paging ? [paging.totalItems, ...(paging.kind === "page" ? [paging.totalPages] : [])] : [];
  const records = madePrivate(operation.output, hostileOutput(operation, name));
  return counts.reduce((body, path) => withCount(body, path.split(".")), records);
}

/** A service on private journeys. */
export const privateScript = (): Script => ({ ...scriptWith(privateBody), requestAccessToken: () => tokenReply });

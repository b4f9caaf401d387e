import { type Operation, type OperationName, operations, previewRequest, requestFields } from "@fleetwire/core";
import { samples } from "@fleetwire/core/samples";
import { FIXTURE_CUSTOMER } from "../src/fixtures/stand-ins.ts";
import { pathValuesOf } from "../src/replay/request-path.ts";
import { failureOf } from "./client-outcomes.ts";
import type { Outcome } from "./outcome.ts";

/** Given to each field in turn: of each kind, empty, at an edge and awkward; instants in every form and impossible ones. */
const PROBES: readonly unknown[] = [
  null,
  true,
  "",
  "a",
  "a b/ü,&=",
  "A".repeat(24),
  "a".repeat(25),
  "a".repeat(256),
  ["a"],
  [],
  ["b,c", "d"],
  ["x".repeat(15), ""],
  [{}, {}, {}, {}],
  [[1]],
  {},
  { name: "n" },
  { driverKey: "ASC", driverId: "DESC" },
  { "activities.type": "up" },
  0,
  1,
  -1,
  1.5,
  90,
  90.5,
  -180,
  1e21,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  10n,
  new Date(Date.UTC(2026, 10, 20, 8, 30, 59)),
  new Date(Number.NaN),
  "2026-11-20T08:30:00Z",
  "2026-11-20T08:30",
  "2026-11-20T08:30:59.5+02:00",
  "2026-11-20T08:30-0330",
  "2026-11-20T08:30+14:00",
  "2026-11-20T08:30+15:00",
  "2026-11-20T08:30+01:59",
  "2026-11-20T08:30+01:60",
  "2026-11-20T08:30-00:30",
  "2026-11-20T24:00",
  "2026-11-20T08:60",
  "2026-11-20T08:59:60",
  "0099-01-01T00:00",
  "2026-11-20T23:60",
  "2026-11-20T23:59:60",
  "2026-13-01T00:00",
  "2026-02-29T00:00",
  "2028-02-29T00:00",
  "2026-20-11",
  "2026-11-20",
  "2026-31-02",
  "NEW",
  "RECEIVED",
  "DRIVER",
  "DDD",
];

/** Inputs that are wrong or unusual as a whole. */
const WHOLE: readonly unknown[] = [
  undefined,
  null,
  "text",
  [],
  {},
  { lat: 1 },
  { lng: 1 },
  { lat: 0, lng: 0 },
  { address: " " },
  { address: "Lyon", jobNumber: "" },
  { address: "Lyon", linkingId: "", linkedJobIndex: "1" },
  { address: "Lyon", linkingId: "l1", linkedJobIndex: "1" },
  { address: "Lyon", resources: [{}, {}, {}, {}], status: "MISSED", personId: "a-b" },
  { address: "Lyon", subStatus: { key: "k", colour: "red" }, jobRadius: 2 ** 31 },
  { addres: "Lyon" },
  { adress: "Lyon", vehiclename: "Truck 1", vehicle_name: "Truck 1", titleJob: "x", notez: "y", jobRaduis: 1 },
  { ["a\n".repeat(50)]: 1 },
  Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`unknown${at}`, at])),
  { startTime: "2026-11-20T00:00:00", endTime: "2026-11-19T00:00:00" },
  { startTime: "2026-11-20T00:00:00", endTime: "2026-11-20T00:00:00", sort: { driverKey: "DESC", driverId: "ASC" } },
  { query: { b: 1, a: [true, "x"], "": 1 } },
  { query: { b: 1, a: [true, "x,y"] } },
  JSON.parse('{"query": {"__proto__": {"a": 1}, "b": 1}}'),
  { id: "a", vehicleIds: ["v1", "v 2"], personIds: [1] },
  {
    get id() {
      throw new Error("unreadable");
    },
  },
];

const shown = (value: unknown): string =>
  value instanceof Date
    ? `Date ${value.getTime()}`
    : typeof value === "bigint" || typeof value === "number" || value === undefined
      ? String(value)
      : (JSON.stringify(value)?.slice(0, 60) ?? "");

function outcomeOf(operation: Operation, input: unknown): unknown {
  try {
    return previewRequest(operation, input, FIXTURE_CUSTOMER);
  } catch (error) {
    return failureOf(error)["message"];
  }
}

/** What goes out for one value of a field; undefined where it goes out as it was given. */
function fieldOutcome(operation: Operation, others: Record<string, unknown>, field: string, probe: unknown): unknown {
  const outcome = outcomeOf(operation, { ...others, [field]: probe });
  if (typeof outcome === "string") return outcome.replaceAll(field, "<field>");
  const { path, query, body = {} } = outcome as { path: string; query: Record<string, string>; body?: Record<string, unknown> };
  const sent = pathValuesOf(operation.path, path)?.[field] ?? query[field] ?? body[field];
  return JSON.stringify(sent) === JSON.stringify(probe) ? undefined : { sent: sent === undefined ? Object.entries(query) : sent };
}

/** What becomes of inputs that were made mechanically: the request that goes out, or the refusal in words. Fields that fare alike are told together. */
export async function* inputOutcomes(): AsyncGenerator<Outcome> {
  for (const operation of Object.values<Operation>(operations)) {
    const base = samples[operation.name as OperationName].input as Record<string, unknown>;
    for (const [at, input] of WHOLE.entries()) yield [`${operation.name} input ${at}`, outcomeOf(operation, input)];
    const alike = new Map<string, string[]>();
    for (const field of Object.keys(requestFields(operation))) {
      const { [field]: _, ...others } = base;
      const absent = outcomeOf(operation, others);
      const told = Object.fromEntries(PROBES.map((probe) => [shown(probe), fieldOutcome(operation, others, field, probe)]));
      const text = JSON.stringify({ ...told, ...(typeof absent === "string" && { absent: absent.replaceAll(field, "<field>") }) });
      alike.set(text, [...(alike.get(text) ?? []), field]);
    }
    for (const [text, fields] of alike) yield [`${operation.name} ${fields.join(", ")}`, JSON.parse(text)];
  }
}

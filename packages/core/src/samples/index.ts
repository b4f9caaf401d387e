import type * as z from "zod";
import type { InputOf, Operation, OutputOf } from "../operation.ts";
import type { OperationName, Operations } from "../operations/index.ts";
import { metadataOf, type Sensitivity } from "../schemas/field-metadata.ts";
import { definitionOf } from "../schemas/schema-walk.ts";

/** An example call of an operation. */
export interface Sample<Input = unknown, Output = unknown> {
  /** The input of the call. */
  input: Input;
  /** Its result. */
  output: Output;
}

/** One sample per operation. */
export type Samples = { readonly [Name in OperationName]: Sample<InputOf<Operations[Name]>, OutputOf<Operations[Name]>> };

/** An example call of each operation and its response, for the OpenAPI document, tests and checks. */
export const samples: Samples = {
  requestAccessToken: {
    input: { grant_type: "client_credentials" },
    output: { success: true, accessToken: "example-token", token_type: "bearer", expires_in: 3600 },
  },
  updateGroup: {
    input: { id: "northdepot", name: "North depot", vehicleIds: ["v1001", "v1002"] },
    output: {
      id: "northdepot",
      name: "North depot",
      parentId: "root",
      path: "root.northdepot",
      vehicleIds: ["v1001", "v1002"],
      personIds: [],
    },
  },
  listVehicleFaults: {
    input: { vehicleId: "v1001", startDate: "2026-11-01T00:00:00", pageSize: 50, pageIndex: 0 },
    output: {
      items: [
        {
          id: "v1001",
          assetName: "Truck 12",
          assetRegistration: "KX21 ABC",
          faults: [
            {
              code: "P0401",
              description: "Exhaust gas recirculation flow insufficient",
              startDate: "2026-11-19T07:12:00Z",
              inProgress: true,
            },
          ],
        },
      ],
      pagination: { totalItems: 1, totalPages: 1, pageSize: 50, pageIndex: 0 },
    },
  },
  listLivePositions: {
    input: { vehicleIds: ["v1001"], locale: "en-GB" },
    output: [
      {
        assetId: "v1001",
        assetName: "Truck 12",
        assetRegistration: "KX21 ABC",
        date: "2026-11-20T08:30:00Z",
        eventType: "driving",
        speed: 82.5,
        heading: 245,
        latitude: 45.764,
        longitude: 4.8357,
        city: "Lyon",
        country: "France",
        driverName: "Anna Keller",
      },
    ],
  },
  createJob: {
    input: {
      jobTitle: "Deliver 4 pallets",
      address: "Quai Perrache 10, 69002 Lyon, France",
      vehicleName: "Truck 12",
      arrivalWindowStart: "2026-11-20T13:00Z",
    },
    output: {
      job: {
        jobId: "j77",
        jobNumber: "FW-20261120-7Q2M4X9KTB",
        jobTitle: "Deliver 4 pallets",
        address: "Quai Perrache 10, 69002 Lyon, France",
        lat: 45.7485,
        lng: 4.8204,
        vehicleName: "Truck 12",
        personName: "Anna Keller",
        status: "ASSIGNED",
        jobRadius: 200,
      },
    },
  },
  queryTachoActivity: {
    input: { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00", limit: 50, sort: { "activities.startTime": "ASC" } },
    output: {
      count: 1,
      data: [
        {
          driverId: "p501",
          driverKey: "D000000000050101",
          activities: [
            {
              assetId: "v1001",
              assetRegistration: "KX21 ABC",
              startTime: "2026-11-19T06:02:00Z",
              endTime: "2026-11-19T09:41:00Z",
              activity: "DRIVING",
              inProgress: false,
            },
          ],
        },
      ],
    },
  },
  listTireEvents: { input: {}, output: [{ eventId: "t9", comment: "Rear left" }] },
  listJobs: { input: {}, output: [{ jobNumber: "FW-20261120-7Q2M4X9KTB", notes: "Ring twice" }] },
};

const DAY = "2026-11-20T08:30:00Z";
const DEGREES = 45.5;

/** Valid values for the fields by which programs find and sort records. With arbitrary text in them, the records would be discarded early. */
const FORMED: Partial<Record<Extract<Sensitivity, string>, string>> = { id: "x1001", instant: DAY, duration: "00:30" };

function numberOf(holds: Sensitivity | undefined): number {
  if (typeof holds === "object") return Math.floor((holds.min + holds.max) / 2);
  return holds === "latitude" || holds === "longitude" ? DEGREES : 1;
}

function filled(schema: z.core.$ZodType, text: string): unknown {
  const { type, shape, element, innerType, valueType, options } = definitionOf(schema);
  const { holds, guard } = metadataOf(schema) ?? {};
  if (innerType) return guard === undefined ? filled(innerType, text) : !guard;
  switch (type) {
    case "object":
      return Object.fromEntries(Object.entries(shape ?? {}).map(([name, field]) => [name, filled(field, text)]));
    case "array":
      return element ? [filled(element, text)] : [];
    case "record":
      return valueType ? { [text]: filled(valueType, text) } : {};
    case "union":
      return options?.[0] && filled(options[0], text);
    case "boolean":
      // A guard that withholds would hide the other fields.
      return guard === undefined ? true : !guard;
    case "number":
      return numberOf(holds);
    case "unknown":
      return [{ id: FORMED.id, text }];
    case "void":
    case "undefined":
      return undefined;
    default:
      // A service may send any text, even in an enum field.
      return (typeof holds === "string" ? FORMED[holds] : undefined) ?? text;
  }
}

/**
 * Generates an operation's response in which every field is present, every string is `text` (except ids, times and durations) and every list has one entry.
 * It is derived from the schema, so that tests also cover new fields.
 */
export function hostileOutput({ output }: Pick<Operation, "output">, text: string): unknown {
  return filled(output, text);
}

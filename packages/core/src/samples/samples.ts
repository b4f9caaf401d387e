import type { InputOf, OutputOf } from "../operation.ts";
import type { OperationName, Operations } from "../operations/index.ts";

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

import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import {
  type createFleetClient,
  defineOperation,
  type FleetClient,
  type FleetClientOptions,
  type FleetConfig,
  type Group,
  type InputOf,
  type Job,
  type JobCreation,
  type LivePosition,
  type OperationName,
  type OutputOf,
  type operations,
  type TachoActivityPage,
  type TachoDriver,
  type VehicleFaults,
  type VehicleFaultsPage,
} from "../src/index.ts";

// Checked by the compiler (npm run typecheck); nothing below is run.
declare const fleet: FleetClient;
const compiled = (_: () => void) => {};

describe("the client's methods", () => {
  it("are one per operation, and one for custom operations", () => {
    expectTypeOf<keyof FleetClient>().toEqualTypeOf<OperationName | "request" | "watchPositions">();
    expectTypeOf<OperationName>().toEqualTypeOf<keyof typeof operations>();
  });

  it("return the operation's output", () => {
    expectTypeOf<FleetClient["updateGroup"]>().returns.resolves.toEqualTypeOf<Group>();
    expectTypeOf<FleetClient["listVehicleFaults"]>().returns.resolves.toEqualTypeOf<VehicleFaultsPage>();
    expectTypeOf<FleetClient["listLivePositions"]>().returns.resolves.toEqualTypeOf<LivePosition[]>();
    expectTypeOf<FleetClient["createJob"]>().returns.resolves.toEqualTypeOf<JobCreation & { inferred?: true }>();
    expectTypeOf<FleetClient["queryTachoActivity"]>().returns.resolves.toEqualTypeOf<TachoActivityPage>();
    expectTypeOf<FleetClient["listJobs"]>().returns.resolves.toBeUnknown();
  });

  it("iterate over the records of long lists", () => {
    expectTypeOf<FleetClient["listVehicleFaults"]["iterate"]>().returns.toEqualTypeOf<AsyncGenerator<VehicleFaults, void, void>>();
    expectTypeOf<FleetClient["listVehicleFaults"]["pages"]>().returns.toEqualTypeOf<AsyncGenerator<VehicleFaultsPage, void, void>>();
    expectTypeOf<FleetClient["queryTachoActivity"]["iterate"]>().returns.toEqualTypeOf<AsyncGenerator<TachoDriver, void, void>>();
    expectTypeOf<FleetClient["listLivePositions"]["iterate"]>().returns.toEqualTypeOf<AsyncGenerator<LivePosition, void, void>>();
    expectTypeOf<FleetClient["createJob"]>().not.toHaveProperty("iterate");
    expectTypeOf<FleetClient["listLivePositions"]>().not.toHaveProperty("pages");
  });

  it("accept readonly lists, and options that may be undefined", () => {
    compiled(() => {
      const ids = ["v1", "v2"] as const;
      const timeout = undefined as number | undefined;
      const signal = undefined as AbortSignal | undefined;
      fleet.listLivePositions({ vehicleIds: ids, groupIds: Object.freeze(["g1"]) }, { timeout, signal });
      fleet.updateGroup({ id: "g1", personIds: ids }, { write: { finishOnceSent: undefined } });
      fleet.watchPositions({ driverIds: ids }, { intervalSeconds: timeout, signal });
      fleet.createJob({ resources: [{ name: "x" }] as const });
    });
    expectTypeOf<{ servers: { base: string | undefined }; onRetry: undefined }>().toExtend<
      Pick<FleetClientOptions, "servers" | "onRetry">
    >();
  });

  it("require what is required, and reject unknown names", () => {
    compiled(() => {
      fleet.listVehicleFaults();
      fleet.updateGroup({ id: "g1" });
      // @ts-expect-error id is required
      fleet.updateGroup({ name: "x" });
      // @ts-expect-error a period is required
      fleet.queryTachoActivity();
      // @ts-expect-error misspelt
      fleet.listLivePositions({ vehicleId: ["v1"] });
      // @ts-expect-error a list
      fleet.listLivePositions({ vehicleIds: "v1" });
      // @ts-expect-error the customer comes from the client
      fleet.listLivePositions({ customerId: "c1" });
      // @ts-expect-error read only
      fleet.updateGroup({ id: "g1", path: "root.g1" });
      // @ts-expect-error null does not mean absent
      fleet.updateGroup({ id: "g1", name: null });
      // @ts-expect-error not a valid status for a new job
      fleet.createJob({ address: "a", status: "RECEIVED" });
      // @ts-expect-error misspelt, in a resource
      fleet.createJob({ address: "a", resources: [{ nmae: "x" }] });
      // @ts-expect-error no such order
      fleet.queryTachoActivity({ startTime: "", endTime: "", sort: { driverId: "UP" } });
      // @ts-expect-error no such option
      fleet.listJobs({}, { timeot: 3 });
      // @ts-expect-error no such method
      fleet.deleteGroup({ id: "g1" });
    });
  });
});

const common = { name: "own", summary: "", source: "", servers: ["base"], auth: ["basic"], effect: "read" } as const;
const own = {
  ...common,
  method: "GET",
  path: "/{vehicleId}",
  params: { vehicleId: z.string() },
  output: z.array(z.object({ km: z.number().optional() })),
} as const;

describe("custom operations", () => {
  const listOwn = defineOperation({ ...own, query: { limit: z.int().optional() } });

  it("have the types of their schemas", () => {
    expectTypeOf<InputOf<typeof listOwn>>().toEqualTypeOf<{ vehicleId: string; limit?: number | undefined }>();
    compiled(async () => {
      expectTypeOf(await fleet.request(listOwn, { vehicleId: "v1" })).toEqualTypeOf<{ km?: number | undefined }[]>();
      expectTypeOf((await fleet.request.withMetadata(listOwn, { vehicleId: "v1", limit: 1 })).data).toEqualTypeOf<
        OutputOf<typeof listOwn>
      >();
      // @ts-expect-error required
      fleet.request(listOwn, {});
      // @ts-expect-error misspelt
      fleet.request(listOwn, { vehicleId: "v1", limti: 1 });
      // @ts-expect-error not an operation
      fleet.request("listLivePositions", {});
    });
  });
});

it("the tool metadata and probe of an operation refer to its fields", () => {
  const listTrips = { ...own, query: { startDate: z.string().optional(), endDate: z.string().optional() } } as const;
  const texts = { title: "", description: "", toolset: "trips" };
  compiled(() => {
    defineOperation({
      ...listTrips,
      probe: ({ vehicleId, now }) => (vehicleId === undefined ? undefined : { vehicleId, endDate: now.toISOString() }),
      tool: { ...texts, names: { vehicleId: "vehicle" }, period: ["startDate", "endDate"], hints: { endDate: "" }, inputs: ["vehicleId"] },
    });
    // @ts-expect-error misspelt
    defineOperation({ ...listTrips, tool: { ...texts, names: { vehicleID: "vehicle" } } });
    // @ts-expect-error no such named entity
    defineOperation({ ...listTrips, tool: { ...texts, names: { vehicleId: "truck" } } });
    // @ts-expect-error misspelt
    defineOperation({ ...listTrips, tool: { ...texts, period: ["startDate", "endTime"] } });
    // @ts-expect-error an input that the operation does not take
    defineOperation({ ...listTrips, probe: () => ({ pageSize: 1 }) });
  });
});

describe("a result", () => {
  it("has optional fields, of the documented types", () => {
    expectTypeOf<LivePosition["speed"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<LivePosition["tags"]>().toEqualTypeOf<string[] | undefined>();
    expectTypeOf<LivePosition["serialNumber"]>().toEqualTypeOf<number | string | undefined>();
    expectTypeOf<NonNullable<Job["visitResults"]>[number]>().toHaveProperty("taskAnswers");
  });

  it("is described by a schema of the same name", () => {
    expectTypeOf<z.output<typeof LivePosition>>().toEqualTypeOf<LivePosition>();
    expectTypeOf<z.output<typeof TachoActivityPage>>().toEqualTypeOf<TachoActivityPage>();
  });

  it("has open enums: documented values are known, others fit", () => {
    expectTypeOf<"driving">().toExtend<NonNullable<LivePosition["eventType"]>>();
    expectTypeOf<string>().toExtend<NonNullable<LivePosition["eventType"]>>();
    expectTypeOf<5>().not.toExtend<NonNullable<LivePosition["eventType"]>>();
  });

  it("has no misspelt field", () => {
    compiled(async () => {
      for await (const vehicle of fleet.listVehicleFaults.iterate()) {
        // @ts-expect-error misspelt, in a fault of an iterated record
        vehicle.faults?.[0]?.inPorgress;
      }
      // @ts-expect-error misspelt, in the data beside the metadata
      (await fleet.updateGroup.withMetadata({ id: "g1" })).data.vehicleIDs;
      // @ts-expect-error a number
      (await fleet.queryTachoActivity({ startTime: "", endTime: "" })).count satisfies string;
      // @ts-expect-error an undocumented response is unknown
      (await fleet.listJobs()).length;
    });
  });
});

describe("the client's options", () => {
  it("can come from the environment", () => {
    expectTypeOf<FleetConfig>().toExtend<FleetClientOptions>();
    expectTypeOf<typeof createFleetClient>().parameter(0).toEqualTypeOf<FleetClientOptions>();
  });

  it("accept only existing servers, operations and schemes", () => {
    const good = { customerId: "c", credentials: { clientId: "a", clientSecret: "b" }, servers: { base: "https://a.example" } };
    expectTypeOf(good).toExtend<FleetClientOptions>();
    compiled(() => {
      // @ts-expect-error no such server
      ({ ...good, servers: { bsae: "x" } }) satisfies FleetClientOptions;
      // @ts-expect-error no such operation
      ({ ...good, authSchemes: { listTrucks: "basic" } }) satisfies FleetClientOptions;
      // @ts-expect-error required
      ({ customerId: "c", servers: {} }) satisfies FleetClientOptions;
    });
  });
});

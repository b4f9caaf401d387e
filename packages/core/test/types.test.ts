import { expectTypeOf, it } from "vitest";
import * as z from "zod";
import {
  defineOperation,
  type FleetClient,
  type FleetClientOptions,
  type FleetConfig,
  type Group,
  type InputOf,
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

// Checked by the compiler (npm run typecheck); nothing below is run. `generate --check` compares the declared shapes and inputs with the schemas.
declare const fleet: FleetClient;
const compiled = (_: () => void) => {};

it("the client has a method for each operation, which returns its output", () => {
  type Method<Name extends OperationName> = FleetClient[Name];
  expectTypeOf<keyof FleetClient>().toEqualTypeOf<keyof typeof operations | "request">();
  expectTypeOf<Method<"updateGroup">>().returns.resolves.toEqualTypeOf<Group>();
  expectTypeOf<Method<"listVehicleFaults">>().returns.resolves.toEqualTypeOf<VehicleFaultsPage>();
  expectTypeOf<Method<"listLivePositions">>().returns.resolves.toEqualTypeOf<LivePosition[]>();
  expectTypeOf<Method<"createJob">>().returns.resolves.toEqualTypeOf<JobCreation & { inferred?: true }>();
  expectTypeOf<Method<"queryTachoActivity">>().returns.resolves.toEqualTypeOf<TachoActivityPage>();
  expectTypeOf<Method<"listJobs">>().returns.resolves.toBeUnknown();
});

it("long lists are iterated over by record and by page", () => {
  expectTypeOf<FleetClient["listVehicleFaults"]["iterate"]>().returns.toEqualTypeOf<AsyncGenerator<VehicleFaults, void, void>>();
  expectTypeOf<FleetClient["listVehicleFaults"]["pages"]>().returns.toEqualTypeOf<AsyncGenerator<VehicleFaultsPage, void, void>>();
  expectTypeOf<FleetClient["queryTachoActivity"]["iterate"]>().returns.toEqualTypeOf<AsyncGenerator<TachoDriver, void, void>>();
  expectTypeOf<FleetClient["listLivePositions"]["iterate"]>().returns.toEqualTypeOf<AsyncGenerator<LivePosition, void, void>>();
  expectTypeOf<FleetClient["createJob"]>().not.toHaveProperty("iterate");
  expectTypeOf<FleetClient["listLivePositions"]>().not.toHaveProperty("pages");
});

it("a field of a result is optional unless documented as required, and its enum is open", () => {
  expectTypeOf<LivePosition["speed"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<LivePosition["serialNumber"]>().toEqualTypeOf<number | string | undefined>();
  expectTypeOf<TachoActivityPage["count"]>().toEqualTypeOf<number>();
  expectTypeOf<"driving" | string>().toExtend<NonNullable<LivePosition["eventType"]>>();
  expectTypeOf<5>().not.toExtend<NonNullable<LivePosition["eventType"]>>();
});

it("what is optional may be undefined, and lists may be readonly; what is wrong does not compile", () => {
  const timeout = undefined as number | undefined;
  const ids = ["v1", "v2"] as const;
  compiled(async () => {
    fleet.listLivePositions({ vehicleIds: ids, groupIds: Object.freeze(["g1"]) }, { timeout });
    fleet.updateGroup({ id: "g1", personIds: ids }, { write: { finishOnceSent: undefined } });
    fleet.listVehicleFaults();
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
    // @ts-expect-error misspelt, in the data beside the metadata
    (await fleet.updateGroup.withMetadata({ id: "g1" })).data.vehicleIDs;
    // @ts-expect-error an undocumented response is unknown
    (await fleet.listJobs()).length;
  });
});

const own = {
  ...({ name: "own", summary: "", source: "", servers: ["base"], auth: ["basic"], effect: "read", method: "GET" } as const),
  path: "/{vehicleId}",
  params: { vehicleId: z.string() },
  output: z.array(z.object({ km: z.number().optional() })),
} as const;

it("a custom operation has the types of its schemas", () => {
  const listOwn = defineOperation({ ...own, query: { limit: z.int().optional() } });
  expectTypeOf<InputOf<typeof listOwn>>().toEqualTypeOf<{ vehicleId: string; limit?: number | undefined }>();
  expectTypeOf<OutputOf<typeof listOwn>>().toEqualTypeOf<{ km?: number | undefined }[]>();
  compiled(async () => {
    expectTypeOf(await fleet.request(listOwn, { vehicleId: "v1" })).toEqualTypeOf<OutputOf<typeof listOwn>>();
    expectTypeOf((await fleet.request.withMetadata(listOwn, { vehicleId: "v1" })).data).toEqualTypeOf<OutputOf<typeof listOwn>>();
    // @ts-expect-error misspelt
    fleet.request(listOwn, { vehicleId: "v1", limti: 1 });
    // @ts-expect-error not an operation
    fleet.request("listLivePositions", {});
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

it("the client's options accept only existing servers, operations and schemes, and can come from the environment", () => {
  const good = { customerId: "c", credentials: { clientId: "a", clientSecret: "b" }, servers: { base: "https://a.example" } };
  expectTypeOf<FleetConfig>().toExtend<FleetClientOptions>();
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

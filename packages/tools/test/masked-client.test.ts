import { defineOperation, fieldMetadata, metadataOf, type Operation, operations } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import { hostileOutput, samples } from "@fleetwire/core/samples";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { maskedClient, type ToolClient } from "../src/fleet/masked-client.ts";
import { PrivateJourneys } from "../src/fleet/private-journeys.ts";
import { cannedService, toolsOver } from "./canned-service.ts";

const OPEN = "see packages/tools/src/fleet/masked-client.ts and privacy.ts";

const NAME = "Zoe Zebra-Quist";
const SECRET_TEXT = "somewhere-secret";
const SECRET_NUMBER = 12.345678;

const Guard = z.boolean().register(fieldMetadata, { holds: "flag", guard: true });
const Person = z.string().register(fieldMetadata, { holds: "person" });
const Address = z.string().register(fieldMetadata, { holds: "place", withheld: true });
const Degrees = z.number().register(fieldMetadata, { holds: "latitude", withheld: true });

const Leg = z.object({ to: z.object({ address: Address, point: z.array(Degrees) }), handedTo: z.array(Person), note: z.string() });

/** A custom operation whose flag is far above what it guards, and with strings that have no metadata. */
const listJourneys: Operation = defineOperation({
  name: "listJourneys",
  summary: "List journeys",
  source: "our own notes",
  method: "GET",
  path: "/public/v1/customer/{customerId}/journeys",
  servers: ["base"],
  auth: ["basic"],
  output: z.array(
    z.object({
      privacy: Guard.optional(),
      driver: z.object({ name: z.string(), nickname: Person.nullable() }).optional(),
      legs: z.array(Leg),
      byDay: z.record(z.string(), Leg),
      end: z.union([Address, z.object({ address: Address })]).optional(),
      first: z.tuple([Leg, z.string()]),
      remark: z.string(),
      more: z.unknown(),
    }),
  ),
  effect: "read",
}) as Operation;

const LEG = { to: { address: SECRET_TEXT, point: [SECRET_NUMBER] }, handedTo: [NAME], note: NAME };
const JOURNEY = {
  privacy: true,
  driver: { name: NAME, nickname: NAME },
  legs: [LEG],
  byDay: { monday: LEG },
  end: { address: SECRET_TEXT },
  first: [LEG, NAME],
  remark: NAME,
  more: { who: [{ driver: NAME }] },
  fellowDrivers: [{ driverId: "p1", fullName: NAME }],
};

interface Inner {
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  shape?: Readonly<Record<string, z.core.$ZodType>>;
}

/** A response in which every guard marks the journey as private, and withheld values are distinguishable from all others. */
function madePrivate(schema: z.core.$ZodType, value: unknown): unknown {
  const { innerType, element, shape } = schema._zod.def as Inner;
  const { guard, withheld } = metadataOf(schema) ?? {};
  if (guard !== undefined) return guard;
  if (withheld) return typeof value === "number" ? SECRET_NUMBER : SECRET_TEXT;
  if (innerType) return madePrivate(innerType, value);
  if (element && Array.isArray(value)) return value.map((item) => madePrivate(element, item));
  if (!shape || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, madePrivate(field, value[name])]));
}

/** A copy of a response in which the count at a path is 1, so that the first page is the last. */
function withCount(answer: unknown, [name = "", ...path]: readonly string[]): unknown {
  if (!isRecord(answer)) return 1;
  return { ...answer, [name]: withCount(answer[name], path) };
}

/** The service's own response, with a driver's name in every string that is neither an id nor a time. */
function answerOf(operation: Operation): unknown {
  if (operation.name === listJourneys.name) return [JOURNEY];
  if (operation.undocumented) return { list: [{ driver: NAME, more: [NAME] }], by: NAME };
  const { paging } = operation;
  const counts = paging ? [paging.totalItems, ...(paging.kind === "page" ? [paging.totalPages] : [])] : [];
  const records = madePrivate(operation.output, hostileOutput(operation, NAME));
  return counts.reduce((answer, path) => withCount(answer, path.split(".")), records);
}

const served = () =>
  cannedService(
    ({ operation }) =>
      answerOf([...Object.values<Operation>(operations), listJourneys].find(({ name }) => name === operation) as Operation),
    [...Object.values<Operation>(operations), listJourneys],
  );

async function allOf(records: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const record of records) all.push(record);
  return all;
}

type Call = (input: unknown) => Promise<unknown>;
type Calls = Call & { withMetadata?: Call; iterate?: (input: unknown) => AsyncIterable<unknown>; pages?: Calls["iterate"] };

/** Every way in which a client returns the response of an operation. */
function waysToRead(fleet: ToolClient, operation: Operation): [string, Call][] {
  const method = (fleet as unknown as Record<string, Calls>)[operation.name];
  const { withMetadata, iterate, pages } = method ?? {};
  return [
    ...(method ? [["the method", method] as [string, Call]] : []),
    ...(withMetadata ? [["withMetadata", withMetadata] as [string, Call]] : []),
    ...(iterate ? [["iterate", (input) => allOf(iterate(input))] as [string, Call]] : []),
    ...(pages ? [["pages", (input) => allOf(pages(input))] as [string, Call]] : []),
    ["request", (input) => fleet.request(operation, input)],
    ["request.withMetadata", (input) => fleet.request.withMetadata(operation, input)],
  ];
}

/** The input of a sample; an update is of the record in the response. */
function inputOf(operation: Operation): unknown {
  const { input } = (samples as Record<string, { input: object } | undefined>)[operation.name] ?? {};
  return operation.effect === "update" ? { ...input, ...pickId(answerOf(operation)) } : (input ?? {});
}

const pickId = (record: unknown) => ({ id: (record as { id: string }).id });

/** Models cannot call it, and the client requests its token itself. */
const offered = [...Object.values<Operation>(operations).filter(({ name }) => name !== "requestAccessToken"), listJourneys];

describe.each(offered.map((operation) => [operation.name, operation] as const))("what tools see of %s", (_, operation) => {
  it("contains no driver's name and nothing that private journeys withhold, however it is read", async () => {
    const service = await served();
    const fleetOf = (FLEET_DRIVER_NAMES: string, FLEET_PRIVACY: string) =>
      toolsOver(service, { FLEET_DRIVER_NAMES, FLEET_PRIVACY }).context;
    const ways = waysToRead(fleetOf("show", "off").fleet, operation).map(([way]) => way);
    for (const [at, way] of ways.entries()) {
      // Tools of their own, so that nothing is known from another way.
      const { fleet, privacy } = fleetOf("hide", "respect");
      // The names of the fleet are masked anywhere. If a string has no metadata, they are read first.
      if (!(privacy.maskOf(operation.output).needsNames && operation.effect === "read")) await fleet.listLivePositions();
      const text = JSON.stringify(await waysToRead(fleet, operation)[at]?.[1](inputOf(operation)));
      expect(text, `${operation.name} by ${way}`).toContain(privacy.text(NAME));
      for (const secret of [NAME, SECRET_TEXT, String(SECRET_NUMBER)])
        expect(text, `${operation.name} by ${way} tells "${secret}": ${OPEN}`).not.toContain(secret);
    }
  });

  it("is the service's response if nothing is protected", async () => {
    const { context } = toolsOver(await served(), { FLEET_PRIVACY: "off" });
    for (const [, read] of waysToRead(context.fleet, operation)) expect(JSON.stringify(await read(inputOf(operation)))).toContain(NAME);
  });
});

describe("a private journey", () => {
  const withheldIn = (text: string) => [SECRET_TEXT, String(SECRET_NUMBER)].filter((secret) => text.includes(secret));

  it("withholds by its own record or one around it, and keeps names if they are shown", async () => {
    const { context } = toolsOver(await served());
    const text = JSON.stringify(await context.fleet.request(listJourneys, {}));
    expect(withheldIn(text), OPEN).toEqual([]);
    const { fellowDrivers: _, ...documented } = JOURNEY;
    expect(text.split(NAME)).toHaveLength(JSON.stringify(documented).split(NAME).length);
    expect(text).toContain('"privacy":true');
  });

  it("drops undocumented fields at any depth, as they might reveal a place", async () => {
    const { context } = toolsOver({ origin: "http://127.0.0.1:9", asked: [] });
    const Stop = z.object({ order: z.int() });
    const Stopped = z.object({ privacy: Guard.optional(), stops: z.array(Stop), byDay: z.record(z.string(), Stop), more: z.unknown() });
    const stop = { order: 1, near: SECRET_TEXT };
    const given = { privacy: true, stops: [stop], byDay: { monday: stop }, more: { kept: 1 }, gps: { latitude: SECRET_NUMBER } };
    const { apply } = context.privacy.maskOf(Stopped);
    expect(apply(given), OPEN).toEqual({ privacy: true, stops: [{ order: 1 }], byDay: { monday: { order: 1 } }, more: { kept: 1 } });
    expect(apply({ ...given, privacy: false })).toEqual({ ...given, privacy: false });
    const Either = z.union([Stopped, z.object({ privacy: Guard, remark: z.string(), address: Address })]);
    const other = { privacy: true, remark: "late", address: SECRET_TEXT, near: SECRET_TEXT };
    expect(context.privacy.maskOf(Either).apply(other), OPEN).toEqual({ privacy: true, remark: "late" });
  });

  it("counts as private if its flag is unreadable, however that got through", () => {
    const { context } = toolsOver({ origin: "http://127.0.0.1:9", asked: [] });
    const Either = z.union([z.object({ privacy: Guard, address: Address }), z.object({ address: z.string() })]);
    const { apply } = context.privacy.maskOf(z.array(Either));
    for (const privacy of ["true", 1, 0, "", {}]) expect(apply([{ privacy, address: SECRET_TEXT }]), OPEN).toEqual([{ privacy }]);
    for (const privacy of [false, null, undefined]) expect(apply([{ privacy, address: "Lyon" }])).toEqual([{ privacy, address: "Lyon" }]);
  });

  it("shows everything if its flag says it is not private, and counts as private if the flag is unreadable", async () => {
    for (const [privacy, withheld] of [
      [false, false],
      [undefined, false],
      ["no", true],
    ] as const) {
      const service = await cannedService(() => [{ ...JOURNEY, privacy }], [listJourneys]);
      const { context } = toolsOver(service);
      const text = JSON.stringify(await context.fleet.request(listJourneys, {}));
      expect(withheldIn(text)).toHaveLength(withheld ? 0 : 2);
    }
  });
});

describe("a masked value", () => {
  it("may come before the record that says it is a name, also in a stream", async () => {
    const service = await cannedService(() => [
      { assetId: "v1", assetName: NAME },
      { assetId: "v2", driverName: NAME },
    ]);
    const { fleet, privacy } = toolsOver(service, { FLEET_DRIVER_NAMES: "hide" }).context;
    const [first, second] = (await allOf(fleet.listLivePositions.iterate())) as Record<string, unknown>[];
    expect([first?.["assetName"], second?.["driverName"]], OPEN).toEqual([privacy.text(NAME), privacy.text(NAME)]);
    expect(privacy.text(NAME)).not.toBe(NAME);
  });

  it("is streamed as it arrives if names are shown", async () => {
    const { fleet, privacy } = toolsOver({ origin: "http://127.0.0.1:9", asked: [] }).context;
    const given: string[] = [];
    async function* iterate() {
      for (const assetId of ["v1", "v2"]) {
        given.push(assetId);
        yield { assetId };
      }
    }
    const listLivePositions = Object.assign(() => {}, fleet.listLivePositions, { iterate });
    const masked = maskedClient({ ...fleet, listLivePositions } as unknown as ToolClient, {
      privacy,
      learnNames: async () => {},
      readJourneys: async () => new PrivateJourneys([]),
    });
    for await (const _ of masked.listLivePositions.iterate()) break;
    expect(given).toEqual(["v1"]);
  });

  it("comes with the response's metadata", async () => {
    const { fleet } = toolsOver(await served(), { FLEET_DRIVER_NAMES: "hide" }).context;
    for (const { metadata } of [await fleet.listLivePositions.withMetadata(), await fleet.request.withMetadata(listJourneys, {})])
      expect(metadata).toMatchObject({ status: 200 });
  });

  it("may be a map with names as keys", () => {
    const { privacy } = toolsOver({ origin: "http://127.0.0.1:9", asked: [] }, { FLEET_DRIVER_NAMES: "hide" }).context;
    const Hours = z.object({ driverName: Person, hours: z.record(z.string(), z.number()), more: z.unknown() });
    const given = { driverName: NAME, hours: { [NAME]: 8, other: 1 }, more: { [NAME]: { day: 1 } }, [NAME]: true };
    const masked = privacy.maskOf(Hours).apply(given);
    expect(JSON.stringify(masked), OPEN).not.toContain(NAME);
    expect(masked.hours).toEqual({ [masked.driverName]: 8, other: 1 });
  });

  it("is masked once and shared", async () => {
    const { context } = toolsOver(await served(), { FLEET_DRIVER_NAMES: "hide", FLEET_SNAPSHOT_SECONDS: "5" });
    const [one, other] = [await context.fleet.listLivePositions(), await context.fleet.listLivePositions()];
    expect(other).toBe(one);
    expect(one[0]?.driverName).toMatch(/^Driver [0-9a-f]{10}$/);
  });

  it("leaves the original records unchanged", () => {
    const { privacy } = toolsOver({ origin: "http://127.0.0.1:9", asked: [] }, { FLEET_DRIVER_NAMES: "hide" }).context;
    const given = [JOURNEY, { ...JOURNEY, privacy: false }];
    const before = structuredClone(given);
    expect(privacy.maskOf(listJourneys.output).apply(given)).not.toEqual(before);
    expect(given).toEqual(before);
  });

  it("may have a recursive shape", () => {
    interface Node {
      driverName: string;
      below: Node[];
    }
    const Tree: z.ZodType<Node> = z.object({ driverName: Person, below: z.array(z.lazy(() => Tree)) });
    const { privacy } = toolsOver({ origin: "http://127.0.0.1:9", asked: [] }, { FLEET_DRIVER_NAMES: "hide" }).context;
    const tree = { driverName: NAME, below: [{ driverName: NAME, below: [{ driverName: NAME, below: [] }] }] };
    expect(JSON.stringify(privacy.maskOf(Tree).apply(tree)).match(/Driver [0-9a-f]{10}/g)).toHaveLength(3);
  });

  it("may belong to no operation", async () => {
    const { context } = toolsOver({ origin: "http://127.0.0.1:9", asked: [] }, { FLEET_DRIVER_NAMES: "hide" });
    await expect(context.fleet.request(undefined as never, {})).rejects.toMatchObject({ code: "input" });
  });
});

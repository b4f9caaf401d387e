import { fieldMetadata, type Operation, operations } from "@fleetwire/core";
import { samples } from "@fleetwire/core/samples";
import { contextOf } from "@fleetwire/tools/internal";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { privateBody, privateScript, SECRETS } from "./every-tool.ts";
import { type Script, servedFleet } from "./served-fleet.ts";

const OPEN = "see packages/tools/src/fleet/masked-client.ts and privacy.ts";

const { name: NAME, place: PLACE, degrees: DEGREES } = SECRETS;

const person = () => z.string().register(fieldMetadata, { holds: "person" });
const title = () => z.string().register(fieldMetadata, { holds: "text" });
const place = () => z.string().register(fieldMetadata, { holds: "place", withheld: true });
const flag = (guard = true) => z.boolean().register(fieldMetadata, { holds: "flag", guard });

/** A custom operation, with the path of one that the scripted service knows. */
const operationOf = (output: z.ZodType): Operation => ({ ...operations.listTireEvents, name: "listJourneys", output }) as Operation;

const settings = (driverNames: "show" | "hide", privacy = "respect") => ({
  FLEET_DRIVER_NAMES: driverNames,
  FLEET_PRIVACY: privacy,
  FLEET_SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
});

async function clientFor(script: Script, env: Record<string, string>) {
  const { tools } = await servedFleet({ script, env });
  return contextOf(tools);
}

/** What tools see of a response with this schema, once the fleet with these drivers has been read. */
async function seen(output: z.ZodType, body: unknown, driverNames: "show" | "hide", drivers: string[] = []) {
  const positions = drivers.map((driverName, at) => ({ assetId: `v${at}`, driverName }));
  const script = { listTireEvents: () => ({ body }), listLivePositions: () => ({ body: positions }) };
  const { fleet, privacy } = await clientFor(script, settings(driverNames));
  if (drivers.length > 0) await fleet.listLivePositions();
  return { value: JSON.parse(JSON.stringify(await fleet.request(operationOf(output), {}))), alias: (name: string) => privacy.text(name) };
}

type Call = (input: unknown) => Promise<unknown>;
type Method = Call & Record<"iterate" | "pages", (input: unknown) => AsyncIterable<unknown>> & { withMetadata: Call };

async function allOf(records: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const record of records) all.push(record);
  return all;
}

/** Every way in which a client returns the response of an operation. */
function waysToRead(fleet: object, operation: Operation): Record<string, Call> {
  const { request } = fleet as { request: { (operation: Operation, input: unknown): Promise<unknown>; withMetadata: typeof request } };
  const method = (fleet as Record<string, Method | undefined>)[operation.name] as Method;
  return {
    method,
    withMetadata: method.withMetadata,
    ...(method.iterate && { iterate: (input) => allOf(method.iterate(input)) }),
    ...(method.pages && { pages: (input) => allOf(method.pages(input)) }),
    request: (input) => request(operation, input),
    "request.withMetadata": (input) => request.withMetadata(operation, input),
  };
}

/** The input of a sample; an update is of the record in the response. */
function inputOf({ name, effect }: Operation): object {
  const { input = {} } = (samples as Record<string, { input?: object }>)[name] ?? {};
  return effect === "update" ? { ...input, id: (privateBody(operations[name as "updateGroup"]) as { id: string }).id } : input;
}

/** The client requests its token itself. */
const readable = Object.values<Operation>(operations).filter(({ name }) => name !== "requestAccessToken");
const everything = privateScript();

describe.each(readable.map((operation) => [operation.name, operation] as const))("what tools see of %s", (_, operation) => {
  it("contains no driver's name and nothing that private journeys withhold, however it is read", async () => {
    const { fleet: plain } = await clientFor(everything, settings("show", "off"));
    for (const [way, read] of Object.entries(waysToRead(plain, operation))) {
      expect(JSON.stringify(await read(inputOf(operation))), way).toContain(NAME);
      // Tools of their own, so that no name is known from another way.
      const { fleet, privacy } = await clientFor(everything, settings("hide"));
      if (operation.name !== "listLivePositions") await fleet.listLivePositions();
      const text = JSON.stringify(await waysToRead(fleet, operation)[way]?.(inputOf(operation)));
      expect(text, `${operation.name} by ${way}`).toContain(privacy.text(NAME));
      for (const secret of [NAME, PLACE, String(DEGREES)])
        expect(text, `${operation.name} by ${way} shows "${secret}": ${OPEN}`).not.toContain(secret);
    }
  });
});

it("a name is recognized in records before the one that says it is a name, also in a stream, and comes with the response's metadata", async () => {
  const listLivePositions = () => ({ body: [{ assetName: NAME }, { driverName: NAME }] });
  const { fleet, privacy } = await clientFor({ listLivePositions }, settings("hide"));
  const before = privacy.text(NAME);
  const listed = await allOf(fleet.listLivePositions.iterate());
  expect(listed, OPEN).toEqual([{ assetName: privacy.text(NAME) }, { driverName: privacy.text(NAME) }]);
  expect([before, privacy.text(NAME)]).toEqual([NAME, expect.stringMatching(/^Driver [0-9a-f]{10}$/)]);
  expect((await fleet.listLivePositions.withMetadata()).metadata).toMatchObject({ status: 200 });
});

describe("on a private journey", () => {
  it.each<[schema: string, mark: z.ZodType, hiding: unknown[], showing: unknown[]]>([
    ["true", flag().nullish(), [true, "false", 0, {}], [false, undefined, null]],
    ["false", flag(false).nullish(), [false, "true"], [true, undefined]],
    ["true or null", z.union([flag(), z.null()]), [true, "no", 0, {}], [false, undefined, null]],
    ["true, lazily", z.lazy(() => flag()), [true, "no", 0, {}], [false, undefined, null]],
  ])("a flag that marks one by %s withholds also if it is unreadable", async (_, mark, hiding, showing) => {
    const records = [...hiding, ...showing].map((value) => ({ mark: value, at: PLACE }));
    const { value } = await seen(z.array(z.object({ mark, at: place() })), records, "show");
    const shown = value.map((record: object) => "at" in record);
    expect(shown, OPEN).toEqual([...hiding.map(() => false), ...showing.map(() => true)]);
  });

  const Stop = z.object({ id: title(), at: place() });
  const Journey = z.object({
    isPrivate: flag(),
    alsoPrivate: flag().optional(),
    at: place().optional(),
    point: z.array(z.number().register(fieldMetadata, { holds: "latitude", withheld: true })).optional(),
    stops: z.array(Stop).optional(),
    byDay: z.record(z.string(), Stop).optional(),
    first: z.tuple([Stop]).optional(),
    any: z.unknown(),
    inner: z.union([Stop, z.object({ note: title() })]).optional(),
    lazy: z.lazy(() => Stop).optional(),
    both: z.intersection(Stop, z.object({ note: title() })).optional(),
    own: z.object({ isPrivate: flag(), at: place() }).optional(),
    refined: place().describe("Where it ended").min(1).optional(),
    readOnly: place().nullish().readonly(),
    branded: place().brand("address").optional(),
    lists: z.array(z.array(place())).optional(),
    tail: z.tuple([z.number()], place()).optional(),
    oneOf: z.union([z.number(), place()]).optional(),
    twice: z.intersection(z.string(), place()).optional(),
  });
  const STOP = { id: "s1", at: PLACE, near: PLACE };
  const SHOWN = { id: "s1" };

  it.each<[string, object, object]>([
    ["its places", { at: PLACE, point: [DEGREES] }, {}],
    ["undocumented fields", { near: PLACE, more: { near: PLACE } }, {}],
    ["those behind other schemas", { refined: PLACE, readOnly: PLACE, branded: PLACE, oneOf: PLACE, twice: PLACE }, {}],
    ["those in lists of lists, and in the rest of a pair", { lists: [[PLACE]], tail: [1, PLACE] }, {}],
    ["those in a list", { stops: [STOP, STOP] }, { stops: [SHOWN, SHOWN] }],
    ["those in a map, whose keys stay", { byDay: { monday: STOP } }, { byDay: { monday: SHOWN } }],
    ["those in a pair", { first: [STOP] }, { first: [SHOWN] }],
    ["those in two shapes at once", { both: { ...STOP, note: "late" } }, { both: { ...SHOWN, note: "late" } }],
    ["a record's inside, whatever its own flag says", { own: { isPrivate: false, at: PLACE } }, { own: { isPrivate: false } }],
    ["nothing of a documented field of any content", { any: { a: 1 } }, { any: { a: 1 } }],
  ])("withholds %s", async (_, given, shown) => {
    const [open, hidden] = [false, true].map((isPrivate) => ({ isPrivate, ...given }));
    const { value } = await seen(z.array(Journey), [open, hidden], "show");
    expect(value, OPEN).toEqual([open, { isPrivate: true, ...shown }]);
  });

  it("one flag of several is enough, also one far above, and names are hidden too", async () => {
    const Outer = z.object({ isPrivate: flag(), alsoPrivate: flag(), driverName: person(), days: z.array(z.record(z.string(), Stop)) });
    const given = { isPrivate: false, alsoPrivate: true, driverName: NAME, days: [{ monday: STOP }], near: PLACE };
    const { value, alias } = await seen(Outer, given, "hide", [NAME]);
    expect(value, OPEN).toEqual({ isPrivate: false, alsoPrivate: true, driverName: alias(NAME), days: [{ monday: SHOWN }] });
  });

  it("a shape that contains itself is withheld throughout", async () => {
    const Node: z.ZodType = z.object({ isPrivate: flag().optional(), at: place(), below: z.array(z.lazy(() => Node)).optional() });
    const tree = { isPrivate: true, at: PLACE, below: [{ at: PLACE, below: [{ at: PLACE }] }] };
    expect((await seen(Node, tree, "show")).value, OPEN).toEqual({ isPrivate: true, below: [{ below: [{}] }] });
  });
});

describe("if names are hidden", () => {
  const [ANA, BO] = ["Ana Ruiz", "Bo Tanaka"];
  const Driven = z.object({
    driverName: person().nullish(),
    crew: z.array(person()).optional(),
    pair: z.tuple([person(), z.number()]).optional(),
    title: title().nullish(),
    hours: z.record(z.string(), z.number()).optional(),
    whom: z.union([person(), z.array(person())]).optional(),
    list: z.array(z.string()).register(fieldMetadata, { holds: "person" }).optional(),
    note: z.string().optional(),
    driver: z.object({ name: z.string() }).optional(),
    driverNameHints: z.array(title()).optional(),
    truck: z.object({ name: z.string() }).optional(),
  });

  /** Ana Ruiz is a driver of the fleet, Bo Tanaka is not; their names are replaced by `ANA` and `BO` where hidden. */
  it.each<[string, object, object]>([
    ["a name", { driverName: BO }, { driverName: "BO" }],
    ["a blank name stays", { crew: [" ", ""] }, { crew: [" ", ""] }],
    ["a name in a pair", { pair: [BO, 1] }, { pair: ["BO", 1] }],
    ["a driver's name in a documented text", { title: "ana ruiz" }, { title: "ANA" }],
    ["a driver's name as a key", { hours: { [ANA]: 7, [BO]: 1 } }, { hours: { ANA: 7, [BO]: 1 } }],
    ["one of several shapes", { whom: BO }, { whom: "BO" }],
    ["a driver's name in a text without metadata", { note: ANA }, { note: "ANA" }],
    ["the name in a record about a driver", { driver: { name: BO } }, { driver: { name: "BO" } }],
    ["the name of something else stays", { truck: { name: BO } }, { truck: { name: BO } }],
    ["a driver's name anywhere undocumented", { more: [ANA, { [ANA]: { a: 1 } }] }, { more: ["ANA", { ANA: { a: 1 } }] }],
    ["an undocumented field of drivers", { drivers: [BO] }, { drivers: ["BO"] }],
    ["a record with a driver's id", { who: { driver_key: "k", last_name: BO } }, { who: { driver_key: "k", last_name: "BO" } }],
    ["another field of a driver stays", { driver: { name: BO, nickname: "Bo" } }, { driver: { name: "BO", nickname: "Bo" } }],
    ["the group of a driver stays", { driverGroup: { name: BO }, driverGroupName: BO }, { driverGroup: { name: BO }, driverGroupName: BO }],
  ])("%s", async (_, given, shown) => {
    const { value } = await seen(Driven, given, "hide", [ANA]);
    const { value: aliases } = await seen(z.array(person()), [ANA, BO], "hide");
    const short = JSON.stringify(value).replaceAll(aliases[0], "ANA").replaceAll(aliases[1], "BO");
    expect(JSON.parse(short), OPEN).toEqual(shown);
  });

  it("fields keep their order, and what is nested too deep is dropped", async () => {
    const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);
    const { value } = await seen(Driven, { title: "late", note: "x", driverName: ANA, more: nested(99), deep: nested(100) }, "hide");
    expect(Object.keys(value)).toEqual(["title", "note", "driverName", "more", "deep"]);
    expect(JSON.stringify([value.more, value.deep])).toBe(
      JSON.stringify([nested(99), null]).replace("null", `${"[".repeat(100)}null${"]".repeat(100)}`),
    );
  });
});

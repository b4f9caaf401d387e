import type { LivePosition } from "@fleetwire/core";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { bearer, messageIn, served, tokensFile } from "./callers-under-test.ts";
import { hostClient } from "./host-client.ts";
import { httpUnderTest } from "./http-under-test.ts";
import { environmentOf, serverUnderTest } from "./server-under-test.ts";

const EXTENSION = "io.modelcontextprotocol/events";
const START = Date.parse("2026-11-20T08:00:00Z");
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
const AWAY = { latitude: 48.85, longitude: 2.35, city: "Paris", country: "France" };
const DEPOT = { latitude: 45.75, longitude: 4.85, city: "Lyon", country: "France", locationId: "loc1", locationName: "Lyon Depot" };
const ARRIVES = { name: "arrives", arguments: { vehicle: "Van 1", at: { location: "Lyon Depot" } } };

/** A fleet whose van a test moves, with a clock of its own. */
function movingFleet() {
  let minute = 0;
  let van: LivePosition = AWAY;
  const records = () => [
    { assetId: "v1", assetName: "Van 1", driverId: "d1", driverName: "Ana Silva", date: at(minute), ...van },
    { assetId: "v2", assetName: "Truck 2", date: at(minute), ...DEPOT },
  ];
  return {
    script: { listLivePositions: () => ({ body: records() }) },
    now: () => START + minute * 60_000,
    /** A minute later, the van is there. */
    move: (place: LivePosition) => {
      minute++;
      van = place;
    },
  };
}

const page = z.object({
  events: z.array(z.object({ eventId: z.string(), name: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) })),
  cursor: z.string(),
  truncated: z.boolean(),
  hasMore: z.boolean(),
  nextPollMs: z.number(),
});

const poll = (client: Client, params: object) => client.request({ method: "events/poll", params: { ...params } }, page);
const list = (client: Client, params = {}) =>
  client.request(
    { method: "events/list", params },
    z.object({
      events: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          delivery: z.array(z.string()),
          inputSchema: z.record(z.string(), z.unknown()),
          payloadSchema: z.record(z.string(), z.unknown()),
        }),
      ),
    }),
  );

/** What is read counts as current for a second. */
const FAST = { FLEET_SNAPSHOT_SECONDS: "1" };
const SOON = { timeout: 15_000 };
const ID = "io.modelcontextprotocol/subscriptionId";

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
type Params = any;

const openStream = (client: Client, params: object, signal?: AbortSignal) =>
  client.request({ method: "events/stream", params: { ...params } }, z.object({}), { timeout: 60_000, ...(signal && { signal }) });

/** Everything that a client hears. */
const heardBy = new WeakMap<Client, { method: string; params: Params }[]>();

/** Opens a stream, and collects the notifications with its id. */
function stream(client: Client, params: object) {
  const heard = heardBy.get(client) ?? [];
  heardBy.set(client, heard);
  client.fallbackNotificationHandler = async ({ method, params: sent }) => {
    heard.push({ method: method.replace("notifications/events/", ""), params: sent });
  };
  const before = new Set(heard.map(({ params: { _meta } }) => _meta[ID]));
  const ending = new AbortController();
  openStream(client, params, ending.signal).catch(() => {});
  const id = () => heard.find(({ params: { _meta } }) => !before.has(_meta[ID]))?.params["_meta"][ID];
  const own = () => heard.filter(({ params: { _meta } }) => _meta[ID] === id());
  return {
    id,
    get heard() {
      return own();
    },
    all: (method: string) =>
      own()
        .filter((one) => one.method === method)
        .map((one) => one.params),
    end: () => ending.abort(),
  };
}

type Fleet = ReturnType<typeof movingFleet>;

const overStdio = async ({ script, now }: Fleet, env = {}) => (await serverUnderTest({ script, now, env, mode: "auto" })).client;
const overHttp = async ({ script, now }: Fleet, env = {}) => (await httpUnderTest(script, env, {}, now)).host("auto");

describe.each([
  ["stdio", overStdio],
  ["http", overHttp],
])("events over %s", (_, connect) => {
  it("are declared, listed, and polled once each", async () => {
    const fleet = movingFleet();
    const client = await connect(fleet);
    expect(client.getServerCapabilities()?.extensions).toMatchObject({ [EXTENSION]: {} });
    const { events: types } = await list(client);
    const arrives = types.find(({ name }) => name === "arrives");
    const validator = new AjvJsonSchemaValidator();
    expect(validator.getValidator(arrives?.inputSchema ?? {})(ARRIVES.arguments).valid).toBe(true);

    const first = await poll(client, { ...ARRIVES, cursor: null });
    expect(first).toMatchObject({ events: [], truncated: false, hasMore: false });
    fleet.move(DEPOT);
    const second = await poll(client, { ...ARRIVES, cursor: first.cursor });
    const data = {
      when: "arrives",
      text: "Van 1 (v1) arrived at Lyon Depot",
      vehicle: { id: "v1", name: "Van 1" },
      at: at(1),
    };
    expect(second.events).toMatchObject([{ name: "arrives", timestamp: at(1), data }]);
    expect(validator.getValidator(arrives?.payloadSchema ?? {})(second.events[0]?.data)).toMatchObject({ valid: true });
    // The same cursor brings the same event, the next one nothing.
    expect((await poll(client, { ...ARRIVES, cursor: first.cursor })).events).toEqual(second.events);
    expect((await poll(client, { ...ARRIVES, cursor: second.cursor })).events).toEqual([]);
    expect((await poll(client, ARRIVES)).events).toEqual([]);
  });

  it("are streamed as they happen, and again from a cursor", async () => {
    const fleet = movingFleet();
    const client = await connect(fleet, FAST);
    const first = stream(client, { ...ARRIVES, cursor: null });
    await expect.poll(() => first.heard, SOON).toMatchObject([{ method: "active", params: { truncated: false } }]);
    fleet.move(DEPOT);
    const arrival = { name: "arrives", timestamp: at(1), data: { text: "Van 1 (v1) arrived at Lyon Depot" } };
    await expect.poll(() => first.all("event"), SOON).toMatchObject([arrival]);
    // What was heard last, an event or a heartbeat, has the cursor with which to come back.
    await expect.poll(() => first.all("heartbeat").length, SOON).toBeGreaterThan(0);
    expect(first.all("heartbeat").at(-1)?.cursor).toBe(first.all("event").at(-1)?.cursor);
    first.end();

    const again = stream(client, { ...ARRIVES, cursor: first.heard[0]?.params.cursor });
    await expect.poll(() => again.all("event"), SOON).toMatchObject([arrival]);
    expect(again.all("event")[0]?.eventId).toBe(first.all("event")[0]?.eventId);
    // Whoever says how old events may be is told that some are missing.
    fleet.move(DEPOT);
    const recent = stream(client, { ...ARRIVES, cursor: first.heard[0]?.params.cursor, maxAgeMs: 1_000 });
    await expect.poll(() => recent.heard, SOON).toMatchObject([{ method: "active", params: { truncated: true } }]);
    expect(new Set([first, again, recent].map(({ id }) => id())).size).toBe(3);
  });
});

describe("a subscription", () => {
  it.each([
    ["to an event that does not exist", { name: "lands" }, -32023, /^.*no such event. events\/list returns the names$/],
    ["without what the condition needs", { name: "arrives" }, -32602, /arguments: at: must be .*Correct the arguments/],
    ["with the id of a rule", { ...ARRIVES, arguments: { ...ARRIVES.arguments, id: "a" } }, -32602, /Unrecognized key: "id"/],
    ["to an unknown vehicle", { name: "starts", arguments: { vehicle: "Vann 1" } }, -32602, /vehicle.*Van 1/],
    ["for several at once", { name: "starts", arguments: { vehicle: "Van 1", group: "A" } }, -32602, /not several/],
    ["from a cursor that nobody issued", { ...ARRIVES, cursor: "1" }, -32602, /Pass null to start from now/],
    ["to no events", { ...ARRIVES, maxEvents: 0 }, -32602, /maxEvents/],
    ["to events before its time", { ...ARRIVES, maxAgeMs: -1 }, -32602, /maxAgeMs/],
    ["without a name", {}, -32602, /name/],
  ])("%s is refused, polled or streamed", async (_, params, code, message) => {
    const client = await overStdio(movingFleet());
    await expect(poll(client, params)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await expect(client.request({ method: "events/stream", params }, z.object({}))).rejects.toMatchObject({ code });
  });

  it("begins anew with a cursor that is no longer known, and says that events may be missing", async () => {
    const [before, after] = [await overStdio(movingFleet()), await overStdio(movingFleet())];
    const { cursor } = await poll(before, ARRIVES);
    const resumed = await poll(after, { ...ARRIVES, cursor });
    expect(resumed).toMatchObject({ events: [], truncated: true });
    expect(resumed.cursor).not.toBe(cursor);
    expect(await poll(after, { ...ARRIVES, cursor: resumed.cursor })).toMatchObject({ truncated: false });
  });

  it("comes in pages", async () => {
    const fleet = movingFleet();
    const client = await overStdio(fleet);
    const params = { name: "arrives", arguments: { at: { location: "Lyon Depot" } } };
    const { cursor } = await poll(client, params);
    for (const place of [DEPOT, AWAY, DEPOT]) {
      fleet.move(place);
      await poll(client, params);
    }
    const first = await poll(client, { ...params, cursor, maxEvents: 1 });
    expect(first).toMatchObject({ events: [{ timestamp: at(1) }], hasMore: true });
    const second = await poll(client, { ...params, cursor: first.cursor, maxEvents: 1 });
    expect(second).toMatchObject({ events: [{ timestamp: at(3) }], hasMore: false });
  });

  it("brings only what a model may see, as data", async () => {
    const fleet = movingFleet();
    const client = await overStdio(fleet, { FLEET_DRIVER_NAMES: "hide" });
    const params = { name: "arrives", arguments: { at: { location: "Lyon Depot" } } };
    const { cursor } = await poll(client, params);
    fleet.move({ ...DEPOT, assetName: "Van\u202e 1\n# Ignore", city: "Ly\u0007on" });
    const { events } = await poll(client, { ...params, cursor });
    const text = JSON.stringify(events);
    expect(events).toHaveLength(1);
    expect(text).toContain("# Ignore");
    for (const hidden of ["Ana Silva", "\u202e", "\u0007", "\\u0007", "\\n"]) expect(text).not.toContain(hidden);
    fleet.move(AWAY);
    await poll(client, params);
    fleet.move({ ...DEPOT, privacy: true } as LivePosition);
    expect((await poll(client, { ...params, cursor })).events).toEqual(events);
  });
});

const READ = { scopes: ["fleet:read"] } as const;

async function callersUnderTest(limits: { eventsPerCaller?: number; eventVehicles?: number } = {}, expires?: Date) {
  const fleet = movingFleet();
  const service = await fleetService(fleet.script);
  const { file, tokens } = tokensFile({ anna: READ, ben: { ...READ, expires } });
  const settings = { ...environmentOf(service.origin), ...FAST, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file };
  const { http } = await served(settings, limits);
  const host = async (token: string): Promise<Client> => {
    const client = hostClient("auto");
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers: bearer(token) } }));
    onTestFinished(() => client.close());
    return client;
  };
  return { url: http.url, tokens, host };
}

async function annaAndBen(limits = {}) {
  const { tokens, host } = await callersUnderTest(limits);
  return { anna: await host(tokens.anna), ben: await host(tokens.ben) };
}

/** Sends a request as SEP-3415 and the transport describe it, with nothing but HTTP. */
function post(
  url: string,
  token: string,
  method: string,
  params: object,
  accept = "application/json, text/event-stream",
  signal?: AbortSignal,
): Promise<Response> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "sep", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { extensions: { [EXTENSION]: {} } },
  };
  const headers = {
    ...bearer(token),
    ...{ accept, "content-type": "application/json", "mcp-protocol-version": "2026-07-28", "mcp-method": method },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: { ...params, _meta } });
  return fetch(url, { method: "POST", headers, body, ...(signal && { signal }) });
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
const resultOf = async (response: Response): Promise<any> => messageIn(await response.text());

describe("callers", () => {
  const STARTS = { name: "starts", arguments: {} };

  it("have subscriptions of their own, whose cursors nobody else can use", async () => {
    const { anna, ben } = await annaAndBen();
    const { cursor } = await poll(anna, ARRIVES);
    await poll(ben, ARRIVES);
    await expect(poll(ben, { ...ARRIVES, cursor })).rejects.toThrow(/belongs to another subscription/);
    await expect(poll(anna, { ...STARTS, cursor })).rejects.toThrow(/belongs to another subscription/);
    expect(await poll(anna, { ...ARRIVES, cursor })).toMatchObject({ truncated: false });
  });

  it("have a limit each for subscriptions and streams", async () => {
    const { anna, ben } = await annaAndBen({ eventsPerCaller: 1 });
    await poll(anna, ARRIVES);
    const full = { code: -32025, data: { limit: "subscriptions", max: 1 } };
    await expect(poll(anna, STARTS)).rejects.toMatchObject(full);
    await poll(ben, STARTS);
    const open = stream(anna, ARRIVES);
    await expect.poll(() => open.heard.length, SOON).toBe(1);
    const second = openStream(anna, ARRIVES);
    await expect(second).rejects.toMatchObject({ code: -32025, data: { limit: "streams", max: 1 } });
    open.end();
    const next = () => {
      const another = stream(anna, ARRIVES);
      return expect.poll(() => another.heard.length, { timeout: 2_000 }).toBe(1);
    };
    await expect
      .poll(
        () =>
          next().then(
            () => true,
            () => false,
          ),
        SOON,
      )
      .toBe(true);
  });

  it("share a limit of the vehicles that their subscriptions remember", async () => {
    const { anna, ben } = await annaAndBen({ eventVehicles: 3 });
    await poll(anna, STARTS);
    const full = { code: -32025, message: expect.stringMatching(/Name a vehicle/), data: { limit: "watched vehicles", max: 3 } };
    await expect(poll(ben, STARTS)).rejects.toMatchObject(full);
    await poll(ben, ARRIVES);
    await expect(poll(ben, { name: "starts", arguments: { driver: "Ana Silva" } })).rejects.toMatchObject(full);
    await poll(anna, STARTS);
  });

  it("hear of events with nothing but HTTP, as SEP-3415 describes", async () => {
    const { url, tokens } = await callersUnderTest();
    const ending = new AbortController();
    const send = (method: string, params: object, accept?: string) => post(url, tokens.anna, method, params, accept, ending.signal);
    const { result } = await resultOf(await send("server/discover", {}));
    expect(result.capabilities.extensions[EXTENSION]).toEqual({});
    const polled = (await resultOf(await send("events/poll", ARRIVES))).result;
    expect(polled).toMatchObject({ resultType: "complete", events: [], truncated: false });
    const offered = async (accept?: string) => (await resultOf(await send("events/list", {}, accept))).result.events[0].delivery;
    expect(await offered()).toEqual(["poll", "push"]);
    // Who accepts no stream is not offered one, and gets a response instead of waiting.
    expect(await offered("application/json")).toEqual(["poll"]);
    const refused = await resultOf(await send("events/stream", ARRIVES, "application/json"));
    expect(refused.error).toMatchObject({ code: -32026, data: { feature: "deliveryMode", value: "push" } });
    const response = await send("events/stream", { ...ARRIVES, cursor: polled.cursor });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const active = JSON.parse(/^data: (.*)$/m.exec(new TextDecoder().decode((await reader.read()).value))?.[1] ?? "");
    expect(active).toEqual({
      jsonrpc: "2.0",
      method: "notifications/events/active",
      params: { cursor: polled.cursor, truncated: false, _meta: { "io.modelcontextprotocol/subscriptionId": 7 } },
    });
    ending.abort();
  });

  it("have to show their token again once it has expired", { timeout: 30_000 }, async () => {
    const { url, tokens } = await callersUnderTest({}, new Date(Date.now() + 8_000));
    const response = await post(url, tokens.ben, "events/stream", ARRIVES);
    const messages = (await response.text()).split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
    expect(messages[0]).toMatchObject({ method: "notifications/events/active" });
    expect(messages.at(-1)).toMatchObject({ id: 7, result: { resultType: "complete", _meta: { [ID]: 7 } } });
    expect((await post(url, tokens.ben, "events/poll", ARRIVES)).status).toBe(401);
  });
});

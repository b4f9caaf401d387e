import type { LivePosition } from "@fleetwire/core";
import type { Client } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { confirmingReceiver, SECRET } from "./callback-receiver.ts";
import { ARRIVES, AWAY, at, callersUnderTest, DEPOT, EXTENSION, FAST, movingFleet, post, resultOf } from "./events-under-test.ts";
import { httpUnderTest } from "./http-under-test.ts";
import { serverUnderTest } from "./server-under-test.ts";

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

async function annaAndBen(limits = {}) {
  const { tokens, host } = await callersUnderTest(limits);
  return { anna: await host(tokens.anna), ben: await host(tokens.ben) };
}

const SHORTLY = 150;

/** When a token expires, and how to get there: the clock stands still otherwise, and timers run. */
function expiring() {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const at = Date.now() + 60_000;
  return { expires: new Date(at), shortlyBefore: () => vi.setSystemTime(at - SHORTLY), after: () => vi.setSystemTime(at + 1) };
}

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

  it("end with a token that is revoked, as webhooks and streams of subscriptions do", { timeout: 30_000 }, async () => {
    const receiver = await confirmingReceiver();
    const { host } = new URL(receiver.url);
    const limits = { tokenCheckMs: 100 };
    const { url, tokens, fleet, revoke } = await callersUnderTest(limits, undefined, { FLEET_EVENT_WEBHOOKS: host });
    const delivery = (caller: string) => ({ mode: "webhook", url: `${receiver.url}/${caller}`, secret: SECRET });
    const ids = new Map<string, string>();
    for (const name of ["anna", "ben"] as const) {
      const { result } = await resultOf(await post(url, tokens[name], "events/subscribe", { ...ARRIVES, delivery: delivery(name) }));
      ids.set(name, result.id);
    }
    const listen = { notifications: { resourceSubscriptions: ["fleet://vehicle/Truck%202"] } };
    const ended = new Set<string>();
    for (const name of ["anna", "ben"] as const)
      for (const [method, params] of [
        ["events/stream", ARRIVES],
        ["subscriptions/listen", listen],
      ] as const) {
        const ending = new AbortController();
        onTestFinished(() => ending.abort());
        const response = await post(url, tokens[name], method, params, undefined, ending.signal);
        expect(response.status).toBe(200);
        void response
          .text()
          .finally(() => ended.add(`${name} ${method}`))
          .catch(() => {});
      }
    revoke("ben");
    await expect.poll(() => [...ended].sort(), SOON).toEqual(["ben events/stream", "ben subscriptions/listen"]);
    fleet.move(DEPOT);
    const heard = () => receiver.heard.filter(({ body }) => body.eventId).map(({ subscription }) => subscription);
    await expect.poll(heard, SOON).toHaveLength(1);
    await fleet.isSeen();
    expect(heard()).toEqual([ids.get("anna")]);
    expect([...ended]).toHaveLength(2);
  });

  it("have to show their token again once it has expired", { timeout: 30_000 }, async () => {
    const { expires, shortlyBefore, after } = expiring();
    const { url, tokens } = await callersUnderTest({}, expires);
    shortlyBefore();
    const response = await post(url, tokens.ben, "events/stream", ARRIVES);
    const messages = (await response.text()).split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
    expect(messages[0]).toMatchObject({ method: "notifications/events/active" });
    expect(messages.at(-1)).toMatchObject({ id: 7, result: { resultType: "complete", _meta: { [ID]: 7 } } });
    after();
    expect((await post(url, tokens.ben, "events/poll", ARRIVES)).status).toBe(401);
  });
});

describe("webhooks", () => {
  /** Callers who may have events sent to a receiver, with nothing but HTTP. */
  async function underTest(expires?: Date) {
    const receiver = await confirmingReceiver();
    const { host } = new URL(receiver.url);
    const named = host.replace("127.0.0.1", "localhost");
    const { url, tokens, fleet } = await callersUnderTest({}, expires, { FLEET_EVENT_WEBHOOKS: `${host}, ${named}` });
    const delivery = (more = {}) => ({ mode: "webhook", url: receiver.url, secret: SECRET, ...more });
    return {
      receiver,
      fleet,
      url,
      tokens,
      named: `https://${named}/hook`,
      delivery,
      subscribe: async (more: Params = {}, to = {}, token = tokens.anna) =>
        resultOf(await post(url, token, "events/subscribe", { ...ARRIVES, ...more, delivery: delivery(to) })),
      unsubscribe: async (token = tokens.anna) =>
        resultOf(await post(url, token, "events/unsubscribe", { ...ARRIVES, delivery: { url: receiver.url } })),
    };
  }

  it("are offered where the operator allows a host, and send each event, signed, until the caller ends them", async () => {
    const { receiver, fleet, url, tokens, subscribe, unsubscribe } = await underTest();
    const { result: discovered } = await resultOf(await post(url, tokens.anna, "server/discover", {}));
    expect(discovered.capabilities).toMatchObject({ events: {}, extensions: { [EXTENSION]: {} } });
    const { result: listed } = await resultOf(await post(url, tokens.anna, "events/list", {}));
    expect(listed.events[0].delivery).toEqual(["poll", "push", "webhook"]);

    const { result: begun } = await subscribe({ ttlMs: 120_000 });
    expect(begun).toMatchObject({ id: expect.stringMatching(/^sub_[\da-f]{32}$/), truncated: false });
    expect(Date.parse(begun.refreshBefore) - Date.now()).toBeLessThanOrEqual(120_000);
    expect(receiver.heard).toMatchObject([{ id: expect.stringMatching(/^msg_verification_/), body: { type: "verification" } }]);
    receiver.statuses.push(503);
    fleet.move(DEPOT);
    await expect.poll(() => receiver.heard.length, SOON).toBe(3);
    const [, first, again] = receiver.heard;
    const data = { when: "arrives", text: "Van 1 (v1) arrived at Lyon Depot" };
    expect(first).toMatchObject({ subscription: begun.id, body: { name: "arrives", data, cursor: expect.any(String) } });
    expect(again).toEqual(first);
    expect(first?.id).toBe(first?.body.eventId);

    // A new secret replaces the one before, which signs too for a while.
    const secret = `whsec_${Buffer.from("canary-another-webhook-secret-32").toString("base64")}`;
    const { result: prolonged } = await subscribe({ cursor: begun.cursor }, { secret });
    expect(prolonged).toMatchObject({ id: begun.id, cursor: first?.body.cursor, deliveryStatus: { active: true, lastError: null } });
    // An event that the receiver does not want is not sent again; later ones are.
    receiver.statuses.push(410);
    fleet.move(AWAY);
    await fleet.isSeen();
    fleet.move(DEPOT);
    await expect.poll(() => receiver.heard.length, SOON).toBe(4);
    receiver.secrets.splice(0, 1, secret);
    fleet.move(AWAY);
    await fleet.isSeen();
    fleet.move(DEPOT);
    await expect.poll(() => receiver.heard.length, SOON).toBe(5);
    expect(new Set(receiver.heard.map(({ id }) => id)).size).toBe(4);

    expect((await unsubscribe(tokens.ben)).error).toMatchObject({ code: -32023, data: { kind: "subscription" } });
    expect((await unsubscribe()).result).toMatchObject({ resultType: "complete" });
    expect((await unsubscribe()).error).toMatchObject({ code: -32023, data: { kind: "subscription" } });
    // What happens afterwards can be polled from the last cursor.
    const cursor = receiver.heard.at(-1)?.body.cursor;
    const polled = async () => (await resultOf(await post(url, tokens.anna, "events/poll", { ...ARRIVES, cursor }))).result.events.length;
    fleet.move(AWAY);
    await fleet.isSeen(polled);
    fleet.move(DEPOT);
    await expect.poll(polled, SOON).toBe(1);
    expect(receiver.heard).toHaveLength(5);
    expect(receiver.refused).toEqual([]);
  }, 60_000);

  it.each<[string, (test: Awaited<ReturnType<typeof underTest>>) => object, number, object]>([
    ["plain http", ({ receiver }) => ({ url: receiver.url.replace("https", "http") }), -32602, { message: /must begin with https/ }],
    ["a host that is not allowed", () => ({ url: "https://example.com/hook" }), -32602, { message: /that its operator allows/ }],
    ["a user", ({ receiver }) => ({ url: receiver.url.replace("//", "//anna@") }), -32602, { message: /no user/ }],
    ["a name that leads to a private address", ({ named }) => ({ url: named }), -32027, { data: { reason: "connection_refused" } }],
    ["a short secret", () => ({ secret: `whsec_${Buffer.from("canary").toString("base64")}` }), -32602, { message: /whsec_ and 24 to 64/ }],
    ["a secret without prefix", () => ({ secret: SECRET.slice("whsec_".length) }), -32602, { message: /whsec_ and 24 to 64/ }],
    ["another mode", () => ({ mode: "push" }), -32602, { message: /delivery.mode/ }],
    ["a receiver that does not know the secret", ({ receiver }) => receiver.secrets.splice(0), -32027, { data: { reason: "http_4xx" } }],
    ["a receiver that does not confirm", ({ receiver }) => receiver.silence(), -32027, { data: { reason: "challenge_failed" } }],
  ])("are refused for %s", async (_, prepare, code, { message = /./, ...more }: Params) => {
    const test = await underTest();
    const to = prepare(test);
    expect((await test.subscribe({}, to)).error).toMatchObject({ code, message: expect.stringMatching(message), ...more });
    expect(test.receiver.heard.filter(({ body }) => body.type !== "verification")).toEqual([]);
  });

  it("are limited for each caller, and end with the token", async () => {
    const { expires, shortlyBefore, after } = expiring();
    const { receiver, fleet, tokens, subscribe } = await underTest(expires);
    shortlyBefore();
    const { result } = await subscribe({}, {}, tokens.ben);
    expect(Date.parse(result.refreshBefore)).toBeLessThanOrEqual(expires.getTime());
    const lifetimes = [undefined, null, 0, -1, Number.MAX_SAFE_INTEGER];
    const many = await Promise.all(lifetimes.map((ttlMs, index) => subscribe({ ttlMs }, { url: `${receiver.url}/${index}` })));
    expect(many.map(({ error }) => error)).toEqual(Array(5).fill(undefined));
    expect((await subscribe()).error).toMatchObject({ code: -32025, data: { limit: "webhooks", max: 5 } });
    await new Promise((resolve) => setTimeout(resolve, SHORTLY + 50));
    after();
    fleet.move(DEPOT);
    const events = () => receiver.heard.filter(({ body }) => body.eventId).map(({ subscription }) => subscription);
    await expect.poll(events, SOON).toHaveLength(5);
    expect(new Set(events())).toEqual(new Set(many.map((one) => one.result.id)));
  }, 60_000);
});

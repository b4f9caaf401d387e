import type { LivePosition } from "@fleetwire/core";
import type { Client } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { httpUnderTest } from "./http-under-test.ts";
import { serverUnderTest } from "./server-under-test.ts";

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
});

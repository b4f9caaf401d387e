import type { LivePosition } from "@fleetwire/core";
import { expect, it } from "vitest";
import { fleetService } from "../../tools/test/served-fleet.ts";
import { messageIn, served, tokensFile } from "./callers-under-test.ts";
import { connectedHost, environmentOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const START = Date.parse("2026-11-20T08:00:00Z");
const AWAY = { latitude: 48.85, longitude: 2.35, city: "Paris", country: "France" };
const DEPOT = { latitude: 45.75, longitude: 4.85, city: "Lyon", country: "France", locationId: "loc1", locationName: "Lyon Depot" };

/** A fleet whose van a test moves, with a clock of its own. */
function movingFleet(start = START) {
  let minute = 0;
  let van: LivePosition = AWAY;
  const now = () => start + minute * 60_000;
  const records = () => {
    const date = new Date(now()).toISOString();
    return [
      { assetId: "v1", assetName: "Van 1", driverId: "d1", driverName: "Ana Silva", date, ...van },
      { assetId: "v2", assetName: "Truck 2", date, ...DEPOT },
    ];
  };
  return {
    script: { listLivePositions: () => ({ body: records() }) },
    now,
    /** A minute later, the van is there. */
    move: (place: LivePosition) => {
      minute++;
      van = place;
    },
  };
}

const ARRIVES = { when: "arrives", who: "Van 1", value: "Lyon Depot" };
const ARRIVED = [expect.objectContaining({ rule: "r1", text: "Van 1 (v1) arrived at Lyon Depot" })];

it.each([
  ["auto", "accept", true],
  ["legacy", "accept", true],
  ["auto", "decline", false],
] as const)("watch_fleet, revision %s, asks the user, who says %s", async (mode, action, isWatched) => {
  const { script, now, move } = movingFleet();
  const asked: string[] = [];
  const person = (question: string) => {
    asked.push(question);
    return { action, content: { confirm: true } };
  };
  const { call } = await serverUnderTest({ script, now, mode, person, env: { FLEET_CONFIRM: "auto" } });
  await call("watch_fleet", ARRIVES);
  expect(asked).toEqual([expect.stringContaining("when Van 1 (v1) arrives at Lyon Depot")]);
  move(DEPOT);
  const { rules, newEvents: events } = structuredOf(await call("watch_fleet"));
  expect(rules).toHaveLength(isWatched ? 1 : 0);
  expect(events).toEqual(isWatched ? ARRIVED : []);
  if (!isWatched) return;
  move(AWAY);
  expect(textOf(await call("watch_fleet", { endRule: "r1" }))).toMatch(/^Ended r1: /);
  expect(asked).toHaveLength(2);
});

it("over HTTP, each caller has rules of its own", async () => {
  const { script, move } = movingFleet(Date.now() - 60_000);
  const service = await fleetService(script);
  const both = { scopes: ["fleet:read", "fleet:write"] } as const;
  const { file, tokens } = tokensFile({ anna: both, ben: both });
  const { call, http } = await served({ ...environmentOf(service.origin), FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file });
  const host = async (token: string) => {
    const client = await connectedHost(http.url, { token });
    const updated: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri));
    return { client, updated };
  };
  const record = async (token: string, args = {}) => messageIn((await call("watch_fleet", args, token)).text).result.structuredContent;
  expect(await record(tokens.anna, ARRIVES)).toMatchObject({ rule: { id: "r1" } });
  move(DEPOT);
  expect(await record(tokens.ben)).toMatchObject({ rules: [], newEvents: [] });
  expect(await record(tokens.anna)).toMatchObject({ rules: [{ id: "r1" }], newEvents: ARRIVED });

  const [anna, ben] = [await host(tokens.anna), await host(tokens.ben)];
  const eventsOf = async ({ client }: typeof anna) =>
    (await client.listResources()).resources.flatMap(({ name, uri }) => (name === "events" ? [uri] : []));
  const [own, other] = [await eventsOf(anna), await eventsOf(ben)];
  expect((await anna.client.readResource({ uri: own[0] ?? "" })).contents).toMatchObject([{ text: expect.stringContaining("arrived at") }]);
  await expect(ben.client.readResource({ uri: own[0] ?? "" })).rejects.toThrow(/not found/);
  await expect(ben.client.listen({ resourceSubscriptions: own })).rejects.toThrow(/these are not your events: cannot subscribe/);
  await anna.client.listen({ resourceSubscriptions: own });
  await ben.client.listen({ resourceSubscriptions: other });
  expect(await record(tokens.anna, { endRule: "r1" })).toMatchObject({ rule: { id: "r1" } });
  expect(await record(tokens.ben, ARRIVES)).toMatchObject({ rule: { id: "r2" } });
  await expect.poll(() => [anna.updated, ben.updated]).toEqual([own, other]);
});

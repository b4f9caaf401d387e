import { afterAll, beforeAll, expect, it } from "vitest";
import { type Fleet, startFleet } from "./fleet.ts";
import { ORPHANS } from "./orphan-attacks.ts";
import { callOf, raw } from "./raw.ts";

/** A call that is under way may end first; a machine that is busy takes longer for everything. */
const SOON = 15_000;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet(["--faults", "createJob:latency=4000"]);
});

afterAll(() => fleet.stop());

const QUIET = { FLEET_CONFIRM: "never", FLEET_LOG: "silent" };

it.each(ORPHANS)("the server is gone soon after: $name ($service service)", async ({ service, leave }) => {
  const start = service === "embedded" ? { args: ["--sandbox"], env: QUIET } : { args: [], env: { ...fleet.env, ...QUIET } };
  expect(await leave(start, SOON)).toBe(true);
});

it("a message of 12 MB is refused in words, or ends the server: it never makes it deaf", async () => {
  const server = raw({ ...fleet.env, ...QUIET });
  server.send(callOf(1, "locate_vehicle", { query: "x".repeat(12_000_000) }));
  server.send(callOf(2, "locate_vehicle", { query: "truck 12" }));
  const heard = await Promise.race([
    server.reply(2).then(() => "answers the next call"),
    server.endsWithin(SOON).then((gone) => gone && "gone"),
  ]);
  expect(heard).toBeOneOf(["answers the next call", "gone"]);
  if (heard === "gone") expect(server.stderr()).toMatch(/too large|larger|MB|bytes/);
});

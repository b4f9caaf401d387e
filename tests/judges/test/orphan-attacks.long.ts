import { afterAll, beforeAll, expect, it } from "vitest";
import { type Fleet, startFleet } from "./fleet.ts";
import { ORPHANS } from "./orphan-attacks.ts";
import { callOf, raw } from "./raw.ts";

/** Time for a call in flight to finish, with a margin for busy machines. */
const SOON = 30_000;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet(["--faults", "createJob:latency=4000"]);
});

afterAll(() => fleet.stop());

const QUIET = { FLEET_CONFIRM: "never", FLEET_LOG: "silent" };

// They mostly wait.
it.concurrent.each(ORPHANS)("the server exits soon after: $name ($service service)", async ({ service, leave }) => {
  const start = service === "embedded" ? { args: ["--sandbox"], env: QUIET } : { args: [], env: { ...fleet.env, ...QUIET } };
  expect(await leave(start, SOON)).toBe(true);
});

it("a 12 MB message gets an error or ends the server, but never blocks it", async () => {
  const server = raw({ ...fleet.env, ...QUIET });
  server.send(callOf(1, "locate_vehicle", { query: "x".repeat(12_000_000) }));
  server.send(callOf(2, "locate_vehicle", { query: "truck 12" }));
  const outcome = await Promise.race([
    server.reply(2).then(() => "responds to the next call"),
    server.endsWithin(SOON).then((gone) => gone && "gone"),
  ]);
  expect(outcome).toBeOneOf(["responds to the next call", "gone"]);
  if (outcome === "gone") expect(server.stderr()).toMatch(/too large|larger|MB|bytes/);
});

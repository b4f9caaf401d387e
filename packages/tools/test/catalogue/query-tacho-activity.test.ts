import { expect, it } from "vitest";
import { did, entry, servePast, vehicle } from "./the-past.ts";

const FLEET = [
  vehicle("v1", { driverId: "p1", driverName: "Anna Keller", driverGroupId: "g1", driverGroupName: "North" }),
  vehicle("v2", { driverId: "p2", driverName: "Karl Ås" }),
  { assetId: "v3", assetName: "Van 3", driverId: "p3", driverName: "Bea Ost" },
];
const NIGHT = "drive 22:30-20T00:30; rest 20T00:30-";
const serve = (activities = NIGHT) =>
  servePast([entry("p1", ...did(activities))], { vehicles: FLEET, env: { FLEET_TIME_ZONE: "Europe/Paris" }, sendsAll: true });

it("the driver is named, and the times are in the user's zone, in the last 24 hours by default", async () => {
  const { text, service } = await serve();
  const shown = await text("query_tacho_activity");
  // It is 2026-11-20 08:34 UTC.
  expect(service.of("queryTachoActivity")[0]?.body).toMatchObject({ startTime: "2026-11-19T08:34:00", endTime: "2026-11-20T08:34:00" });
  expect(shown).toContain("\nAnna Keller | 19 Nov 23:30 | 20 Nov 01:30 | DRIVING\nAnna Keller | 20 Nov 01:30 | - | REST");
});

it("the time of day is shown, however long ago", async () => {
  const { text } = await serve("work 02T07:10-02T09:00");
  expect(await text("query_tacho_activity", { period: "2026-11-02" })).toContain("2 Nov 08:10 | 10:00");
});

const [KEYS, TRUCK_2] = [{ driverKeys: ["DRIVERCARD0p100"] }, "Only activities in Truck 2 (REG v2)."];
it.each<[args: Record<string, unknown>, sent: object, said: string]>([
  [{ driver: "keller" }, {}, "Only Anna Keller"],
  [{ group: "north" }, { registrations: ["REG v1"] }, "Only North"],
  [{ vehicle: "truck 2" }, { registrations: ["REG v2"] }, TRUCK_2],
  [{ driver: "keller", vehicle: "truck 2" }, {}, TRUCK_2],
  [{ registrations: ["ZZ 1"] }, { registrations: ["ZZ 1"] }, ""],
  [{ period: "yesterday" }, { startTime: "2026-11-18T23:00:00", endTime: "2026-11-19T23:00:00" }, "Period yesterday"],
])("of %j, %j is requested, and the note says so", async (args, sent, said) => {
  const { record, service } = await serve();
  expect((await record("query_tacho_activity", args)).note).toContain(said);
  const wanted = "driver" in args ? KEYS : sent;
  expect(service.of("queryTachoActivity").map(({ body }) => body)).toContainEqual(expect.objectContaining(wanted));
});

it.each<[args: Record<string, unknown>, problem: RegExp]>([
  [{ startTime: "2026-11-19T00:00:00Z" }, /startTime and endTime go together/],
  [{ endTime: "2026-11-20T00:00:00Z" }, /startTime and endTime go together/],
  [{ vehicle: "van 3" }, /^input: vehicle: Van 3 .*has no registration/],
])("%j is refused", async (args, problem) => {
  expect(await (await serve()).failure("query_tacho_activity", args)).toMatch(problem);
});

it("ids are shown if the live positions cannot be read", async () => {
  const { record } = await servePast([`p1: ${NIGHT}`], { isUnseen: true });
  expect((await record("query_tacho_activity")).items[0]).toMatchObject({ driver: "id p1", activity: "DRIVING" });
});

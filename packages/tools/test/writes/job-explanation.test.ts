import { expect, it } from "vitest";
import { zonedTimes } from "../../src/text/time.ts";
import { jobExplanation } from "../../src/tools/job-explanation.ts";
import { fleetOf } from "../names/fleet-of.ts";

const times = zonedTimes("Europe/Paris", Date.UTC(2026, 10, 20, 9));
const fleet = await fleetOf(
  { assetId: "v1", assetName: "Truck 1", driverName: "Ana Ruiz", driverId: "p1" },
  { assetId: "v2", assetName: "Van 2", driverName: "D".repeat(80) },
  { assetId: "v3", assetName: "Car 3" },
  { assetId: "v4", assetName: "Car 4", status: "SOLD" },
);

it.each<[Record<string, unknown>, string]>([
  [{}, "Assigned to nobody yet."],
  [{ personId: "p1" }, "Assigned to Ana Ruiz (p1)."],
  [{ personId: "p9" }, "Assigned to that driver (not in the live positions)."],
  [{ personName: "Ana" }, "Assigned to that driver."],
  [
    { vehicleId: "v1" },
    "Assigned to Truck 1 (v1) and its default driver, if it has one (current driver: Ana Ruiz, perhaps not the default).",
  ],
  [
    { vehicleName: "Truck 1" },
    "Assigned to Truck 1 (v1) and its default driver, if it has one (current driver: Ana Ruiz, perhaps not the default).",
  ],
  [{ vehicleId: "v3", vehicleName: "Truck 1" }, "Assigned to Car 3 (v3) and its default driver, if it has one."],
  [{ vehicleId: "v4" }, "Assigned to Car 4 (v4), which is sold, and its default driver, if it has one."],
  [{ vehicleId: "v9" }, "Assigned to the vehicle (not in the live positions) and its default driver, if it has one."],
  [
    { vehicleId: "v2" },
    `Assigned to Van 2 (v2) and its default driver, if it has one (current driver: ${"D".repeat(39)}…, perhaps not the default).`,
  ],
  [{ vehicleId: "v1", personId: "p1" }, "Assigned to Truck 1 (v1) and Ana Ruiz (p1), who must be its default driver if it has one."],
  [{ vehicleName: "Car 3", personName: "Ana" }, "Assigned to Car 3 (v3) and that driver, who must be its default driver if it has one."],
])("says who gets the job: %j", (job, who) => expect(jobExplanation(job, fleet, times)[0]).toBe(who));

it.each<[Record<string, unknown>, string]>([
  [{ vehicleId: "v1", personId: "p1" }, "Assigned to the vehicle and that driver, who must be its default driver if it has one."],
  [{ personId: "p1" }, "Assigned to that driver."],
])("names nobody without the fleet: %j", (job, who) => expect(jobExplanation(job, undefined, times)[0]).toBe(who));

it.each<[Record<string, unknown>, string[]]>([
  [{}, ["Group: root, since none is given.", "The address is not checked; the service geocodes it."]],
  [{ groupName: "Lyon", lat: 0 }, ["The point is not checked; the service finds its address unless one is given."]],
  [
    { groupName: "Lyon", scheduledStartDateTime: "2026-11-20T08:30Z", arrivalWindowEnd: "noon" },
    [
      "scheduledStartDateTime is Fri 2026-11-20 09:30 in Europe/Paris, in the past.",
      "The address is not checked; the service geocodes it.",
    ],
  ],
  [
    { groupName: "Lyon", lat: 0, arrivalWindowStart: "2026-11-20T09:00Z", arrivalWindowEnd: "2026-11-20T08:30Z" },
    [
      "arrivalWindowStart is Fri 2026-11-20 10:00 in Europe/Paris.",
      "arrivalWindowEnd is Fri 2026-11-20 09:30 in Europe/Paris, in the past.",
      "The arrival window ends before it starts: ask the user which is meant.",
      "The point is not checked; the service finds its address unless one is given.",
    ],
  ],
  [
    { groupName: "Lyon", lat: 0, arrivalWindowStart: "2026-11-20T09:00Z", arrivalWindowEnd: "2026-11-20T09:00Z" },
    [
      "arrivalWindowStart is Fri 2026-11-20 10:00 in Europe/Paris.",
      "arrivalWindowEnd is Fri 2026-11-20 10:00 in Europe/Paris.",
      "The point is not checked; the service finds its address unless one is given.",
    ],
  ],
])("says where and when: %j", (job, rest) => expect(jobExplanation(job, undefined, times).slice(1)).toEqual(rest));

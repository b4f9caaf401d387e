import type { LivePosition } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { at, brief, DEPOT, driving, eventsOf, LYON, METRE, PARIS, type Poll, seen, stopped, truck, van } from "./watched-polls.ts";

const arrives = { when: "arrives", vehicle: "Van 1", at: { location: "Lyon Depot" } };
const circle = { at: { lat: 45.75, lng: 4.85, radiusMetres: 500 } };
const inParis = { when: "arrives", at: { lat: 48.85, lng: 2.35, radiusMetres: 300 } };
const near = (metres: number) => ({ ...LYON, latitude: 45.75 + metres * METRE });
const away = { ...PARIS, ...driving };
const ARRIVED = "arrived at Lyon Depot";
const LOW = "has less than 20% battery";
const battery = { when: "batteryBelow", percent: 20 };
const fuel = { when: "fuelBelow", percent: 20 };
const starts = { when: "starts" };
const secret = { when: "becomesPrivate" };
const faulty = { when: "faultBegins" };
const stays = { when: "stops", vehicle: "Van 1", forMinutes: 10 };
const speeding = { when: "speedOver", kmh: 90, forMinutes: 2 };
const silent = { when: "silent", forMinutes: 5 };

const STATES: Record<string, LivePosition> = {
  ...{ away, driving, stopped, paris: PARIS, lyon: LYON, depot: DEPOT, none: {}, idling: { eventType: "idling" } },
  ...{ private: { privacy: true }, nowhere: { latitude: 0, longitude: 0 }, elsewhere: { latitude: 48.9 }, germany: { country: "DE" } },
  ...{ charging: { electricCharging: true }, charged: { electricCharging: false } },
};
const VALUES: Record<string, (value: string) => LivePosition> = {
  fuel: (value) => ({ fuelLevelPercentage: Number(value) }),
  battery: (value) => ({ electricBatteryLevelPercent: Number(value) }),
  speed: (value) => ({ ...driving, speed: Number(value) }),
  near: (value) => near(Number(value)),
  codes: (value) => ({ activeFaultCodes: value.split("/").filter(Boolean) }),
};
/** What the van's record states, such as "depot+stopped". */
const stateOf = (words: string): LivePosition =>
  Object.assign({}, ...words.split("+").map((word) => STATES[word] ?? VALUES[word.split("=")[0] ?? ""]?.(word.split("=")[1] ?? "")));

/** Polls such as "0 away, 6 depot @5": the minute, what the van states, and when it was sent; or a status in its place. */
const polled = (text: string): Poll[] =>
  text.split(", ").flatMap((one): Poll[] => {
    const [, minute, words = "", sent = minute] = /^(\d+) (\S+)(?: @(\d+))?$/.exec(one) ?? [];
    return /^\d+$/.test(words) ? [[Number(minute), Number(words)]] : seen([Number(minute), stateOf(words), Number(sent)]);
  });

describe("a watch reports", () => {
  const still = (...minutes: number[]) => minutes.map((minute) => `, ${minute} paris+stopped @1`).join("");
  const later = [15, 16].map((minute): Poll => [minute, [van(6, stateOf("paris+stopped")), truck(minute)]]);
  const ahead = [...polled("0 away, 5 paris+stopped @6"), ...later];
  const quiet = [0, 2, 4, 6, 8, 9, 10, 12, 14, 16].map((minute): Poll => [minute, [van(minute < 9 ? 0 : 9, PARIS)]]);
  const paused: Poll[] = [...polled("0 away"), [60, [van(20, DEPOT), truck(59)]]];
  const drift = [480, 520, 490, 560, 900, 560, 950].map((metres, minute) => `${minute} near=${metres}`).join(", ");
  const DOWN = "08:00 No data since 2026-11-20T08:00:00.000Z: the fleet cannot be read (upstream)";
  it.each<[what: string, rule: object, polls: string | Poll[], events: string[]]>([
    ["an arrival at a location", arrives, "0 away, 5 depot+driving, 6 depot+stopped", [`08:05 ${ARRIVED}`]],
    ["nothing about a vehicle that is there when the watch begins", arrives, "0 depot, 5 depot", []],
    [
      "a second arrival after the vehicle has left",
      arrives,
      "0 away, 5 depot, 6 near=120+stopped, 7 depot, 8 near=200+driving, 9 depot",
      [`08:05 ${ARRIVED}`, `08:09 ${ARRIVED}`],
    ],
    [
      "one arrival in spite of repeated, late and future records",
      arrives,
      "0 away, 5 depot, 6 depot @5, 7 away @3, 8 nowhere+driving, 9 away @90, 10 depot",
      [`08:05 ${ARRIVED}`],
    ],
    ["a stop by a clock a minute ahead", stays, ahead, ["08:16 has stood still for 10 min"]],
    ["no drift at a circle's fence", { ...circle, when: "leaves", vehicle: "Van 1" }, drift, ["08:04 left 45.75, 4.85 (within 500 m)"]],
    ["nothing of a private journey, not even afterwards", arrives, "0 away, 5 depot+private, 6 depot", []],
    ["an arrival in a town", { ...arrives, at: { town: "Lione" } }, "0 paris, 5 lyon", ["08:05 arrived at Lyon, France"]],
    ["a start, not one after a traffic light", starts, "0 away, 1 idling, 2 away, 3 paris+stopped, 9 away", ["08:09 started driving"]],
    ["a stop, though nothing more is sent", stays, `0 away${still(1, 2, 4, 6, 8, 10, 11, 12)}`, ["08:11 has stood still for 10 min"]],
    ["silence, and again after a record", silent, quiet, ["08:05 has sent nothing for 5 min", "08:14 has sent nothing for 5 min"]],
    ["what happens once the service can be read", starts, "0 503, 1 stopped, 2 driving", ["08:02 started driving"]],
    [
      "speeding that lasts, not one that drops in between",
      speeding,
      "0 speed=80, 1 speed=95, 2 speed=80, 3 speed=95, 4 speed=89, 5 speed=96",
      ["08:05 drove faster than 90 km/h for 2 min"],
    ],
    ["a level once until it has risen clearly", fuel, "0 fuel=30, 1 fuel=19, 2 fuel=21, 3 fuel=18", ["08:01 has less than 20% fuel"]],
    [
      "no second event within the cool-down",
      { ...battery, coolDownMinutes: 5 },
      "0 battery=30, 1 battery=19, 2 battery=26, 3 battery=18, 4 battery=26, 7 battery=18",
      [`08:01 ${LOW}`, `08:07 ${LOW}`],
    ],
    ["nothing once the rule has ended", { ...battery, until: at(1) }, "0 battery=30, 2 battery=19", []],
    ["a border", { when: "entersCountry", country: "Germany" }, "0 paris, 5 paris+germany", ["08:05 entered Germany"]],
    ["that a private journey begins", secret, "0 paris, 5 paris+private, 6 paris+private", ["08:05 began a private journey"]],
    ["the end of charging", { when: "chargingEnds" }, "0 charging, 1 charged", ["08:01 stopped charging"]],
    ["nothing outside the rule's hours", { ...battery, between: ["22:00", "06:00"] }, "0 battery=30, 1 battery=19", []],
    ["nothing of a level that is not one", battery, "0 battery=30, 1 none, 2 fuel=5", []],
    ["a fault that begins, once", faulty, "0 codes=P1, 1 codes=P1/P2, 2 codes=, 3 codes=P2", ["08:01 has a new fault P2"]],
    ["what happened during a pause as late", arrives, paused, [`08:20 ${ARRIVED} (late)`]],
    ["nothing late if the rule drops it", { ...arrives, late: "drop" }, paused, []],
    ["one event while the service is down", arrives, "0 away, 1 503, 3 503, 9 503, 10 depot", [DOWN, `08:10 ${ARRIVED}`]],
    [
      "an arrival that lasts, not one that passes by",
      { ...inParis, forMinutes: 3 },
      "0 paris+elsewhere, 1 paris, 2 paris+elsewhere, 4 paris, 6 paris @4, 8 paris @4",
      ["08:07 arrived at 48.85, 2.35 (within 300 m)"],
    ],
    // Names that an object has by itself.
    ...["constructor", "__proto__"].map((code): [string, object, string, string[]] => [
      `a fault called ${code}`,
      faulty,
      `0 codes=, 1 codes=${code}, 2 codes=${code}, 3 codes=, 40 codes=, 41 codes=${code}`,
      [`08:01 has a new fault ${code}`, `08:41 has a new fault ${code}`],
    ]),
  ])("%s", async (_, rule, polls, expected) => {
    const events = await eventsOf([rule], typeof polls === "string" ? polled(polls) : polls);
    expect(brief(events).map((line) => line.replace("Van 1 (v1) ", ""))).toEqual(expected);
  });

  it("the same ids when the same records are watched again", async () => {
    const [first, second] = await Promise.all([1, 2].map(() => eventsOf([arrives], polled("0 away, 5 depot"))));
    expect(first?.map(({ id }) => id)).toEqual(second?.map(({ id }) => id));
    const vehicle = { id: "v1", name: "Van 1" };
    expect(first?.[0]).toMatchObject({
      rule: "r0",
      vehicle,
      driver: { name: "Ana Silva" },
      cause: { date: at(5), locationName: "Lyon Depot" },
    });
  });
});

describe("a vehicle that appears after the watch has begun", () => {
  it.each<[what: string, rule: object, record: LivePosition, events: string[]]>([
    ["with little fuel", fuel, stateOf("fuel=9"), ["08:02 Van 3 (v3) has less than 20% fuel"]],
    ["too fast", { when: "speedOver", kmh: 90 }, { speed: 120 }, ["08:02 Van 3 (v3) drove faster than 90 km/h"]],
    ["silent for a day", { ...silent, forMinutes: 60 }, { date: at(-1440) }, ["09:00 Van 3 (v3) has sent nothing for 1 h 00 min (late)"]],
    // Nobody knows when these began.
    ["in a place", inParis, PARIS, []],
    ["driving", starts, driving, []],
    ["with a fault", faulty, stateOf("codes=P1"), []],
    ["on a private journey", secret, { privacy: true }, []],
  ])("%s", async (_, rule, record, expected) => {
    const other = (minute: number) => ({ ...van(minute, record), assetId: "v3", assetName: "Van 3" });
    const polls = [0, 1, 2, 3].map((minute): Poll => [minute, [van(minute), ...(minute < 2 ? [] : [other(minute)])]]);
    expect(brief(await eventsOf([rule], polls))).toEqual(expected);
  });
});

it("an address is no name of a location, but what only looks like one may be", async () => {
  for (const location of [
    ...["221B Baker Street", "Hauptstr. 12a, 12345 Berlin", "Calle Mayor 5, Madrid", "5, avenue Foch", "Kungsgatan 12", "D-12345"],
    ...["69001 Lyon", "SW1A 1AA", "1012 AB Amsterdam", "ul. Prosta 5", "Industriestraße 5", "24, Trafford Road, Carlisle"],
  ])
    await expect(eventsOf([{ when: "arrives", at: { location } }], seen([0, PARIS])), location).rejects.toThrow(
      /is an address, .*Use a loc/,
    );
  for (const location of [
    ...["Depot 7, Lyon", "Warehouse 12345", "Gate 3 West", "Hub 5 St Pauls", "Site 12 Road Works", "4711", "M25 Services"],
    ...["Zone 4, Via Appia depot", "12 Rue de Lyon", "St. Pölten Lager 3", "Drive In Lane 2", "Terminal 2E"],
  ]) {
    const there = { ...LYON, locationId: "l9", locationName: location };
    // This one is an address, unless a vehicle reports a location called so.
    const other = truck(0, location === "12 Rue de Lyon" ? there : DEPOT);
    const polls = [PARIS, there].map((where, minute): Poll => [minute, [van(minute, where), other]]);
    expect(brief(await eventsOf([{ ...arrives, at: { location } }], polls))).toEqual([`08:01 Van 1 (v1) arrived at ${location}`]);
  }
});

describe("a parked vehicle", () => {
  const here = { ...near(0), ...DEPOT };
  const off = (metres: number, more: object = stopped) => ({ ...near(metres), city: "Villeurbanne", ...more });
  const PLACES: Record<string, object> = {
    "a location": { location: "Lyon Depot" },
    "a town": { town: "Lyon" },
    "a circle": circle.at,
    "another vehicle": { vehicle: "Truck 2" },
  };
  /** Events of a van that is somewhere before and after these fixes, between minutes 2 and 10. */
  const moves = async (place: object, around: object, fixes: object[]) => {
    const polls = [around, around, ...fixes, around, around].map((fix, index): Poll => {
      const minute = index < 2 + fixes.length ? index : index + 8 - fixes.length;
      return [minute, [van(minute, { ...stopped, ...fix }), truck(minute, { ...here, ...stopped })]];
    });
    const events = await eventsOf(
      ["leaves", "arrives"].map((when) => ({ when, vehicle: "Van 1", at: place })),
      polls,
    );
    return events.map(({ at: time, when }) => `${time.slice(11, 16)} ${when}`);
  };

  it.each<[what: string, fixes: object[], events: string[]]>([
    ["two fixes 2.5 km away", [off(2500), off(2500)], ["08:02 leaves", "08:10 arrives"]],
    ["one fix 2.5 km away before it drives off", [off(2500), here, off(1500, driving)], ["08:04 leaves", "08:10 arrives"]],
    ["that drives 2.5 km", [off(2500, driving)], ["08:02 leaves", "08:10 arrives"]],
  ])("in a place has %s", async (_, fixes, events) => {
    for (const [what, place] of Object.entries(PLACES)) expect(await moves(place, here, fixes), what).toEqual(events);
  });

  it.each<[what: string, fixes: object[], events: string[]]>([
    ["one fix in it, twice, with one where it stands between", [here, off(2500), here], []],
    ["one fix in it after it drove", [off(1500, driving), here], ["08:03 arrives", "08:10 leaves"]],
    ["one fix in it and drives in", [here, { ...here, ...driving }], ["08:02 arrives", "08:10 leaves"]],
    ["one fix in it and drives off elsewhere", [here, off(5000, driving)], []],
  ])("outside a place has %s", async (_, fixes, events) => {
    for (const [what, place] of Object.entries(PLACES)) expect(await moves(place, off(2500), fixes), what).toEqual(events);
  });

  it.each<[string, object, string[]]>([
    ["has one fix 2.5 km away", stopped, []],
    ["drives 2.5 km", driving, ["08:02 Van 1 (v1) left Truck 2 (v2)"]],
  ])("causes what is so if the vehicle at which it stands %s", async (_, how, expected) => {
    const spots: object[] = [here, here, off(2500, how), here, here];
    const polls = spots.map(
      (spot, minute): Poll => [minute, [van(minute, { ...here, ...stopped }), truck(minute, { ...stopped, ...spot })]],
    );
    expect(brief(await eventsOf([{ when: "leaves", vehicle: "Van 1", at: { vehicle: "Truck 2" } }], polls))).toEqual(expected);
  });
});

describe("rules are refused", () => {
  const arrivesAt = (place: object) => ({ when: "arrives", at: place });
  it.each<[string, object, RegExp]>([
    ["with an unknown condition", { when: "explodes" }, /rule r0\.when: when must be one of arrives, leaves/],
    ["with a circle without a radius", arrivesAt({ lat: 1, lng: 2 }), /rule r0\.at: must be \{"location"/],
    ["with two places", arrivesAt({ town: "Lyon", location: "Lyon Depot" }), /rule r0\.at: must be/],
    ["for a vehicle and a group", { when: "starts", vehicle: "Van 1", group: "Vans" }, /not several/],
    ["with a field of another condition", { when: "starts", percent: 5 }, /percent/],
    ["with an unknown vehicle", { when: "starts", vehicle: "Van 77" }, /rule r0\.vehicle: No vehicle matches "Van 77"/],
    ["with a misspelt location", arrivesAt({ location: "Lyon Depto" }), /Did you mean Lyon Depot/],
    ["with a town of which there are several", arrivesAt({ town: "Frankfurt" }), /Which one: Frankfurt am Main, .*; Frankfurt/],
    ["with an unknown town", arrivesAt({ town: "Atlantis" }), /rule r0\.at\.town: No country or city matches/],
    ["with an unknown country", { when: "entersCountry", country: "Atlantis" }, /no country is called/],
    ["without a number of minutes", { when: "stops" }, /rule r0\.forMinutes: is missing, and must be a number/],
    ["with a country as a location", arrivesAt({ location: "Germany" }), /is a country, .*entersCountry/],
    ["with the vehicle itself as the place", { ...arrives, at: { vehicle: "Van 1" } }, /vehicle of the rule itself/],
  ])("%s", async (_, rule, message) => {
    await expect(eventsOf([rule], seen([0, PARIS]))).rejects.toThrow(message);
  });

  it("if they change while watching, and those before stay", async () => {
    const refused: string[] = [];
    const changed = [{ when: "starts", vehicle: "Van 77" }, secret];
    const onRefusal = ({ message }: Error) => refused.push(message);
    const events = await eventsOf([arrives], seen([0, away], [3, away], [5, DEPOT]), { onRefusal }, { 1: changed });
    expect(refused).toEqual([expect.stringMatching(/rule r0\.vehicle: No vehicle matches "Van 77"/)]);
    expect(brief(events)).toEqual([`08:05 Van 1 (v1) ${ARRIVED}`]);
  });
});

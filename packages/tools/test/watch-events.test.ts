import { describe, expect, it } from "vitest";
import { at, brief, DEPOT, eventsOf, LYON, METRE, PARIS, type Poll, type Rule, truck, van } from "./watched-polls.ts";

const arrives: Rule = { when: "arrives", vehicle: "Van 1", at: { location: "Lyon Depot" } } as Rule;
const circle = { at: { lat: 45.75, lng: 4.85, radiusMetres: 500 } };
const near = (metres: number) => ({ ...LYON, latitude: 45.75 + metres * METRE });
const driving = { eventType: "driving" as const, speed: 60 };
const stopped = { eventType: "stopped" as const, speed: 0 };

describe("a watch reports", () => {
  it.each<[string, object, Poll[], string[]]>([
    [
      "an arrival at a location",
      arrives,
      [
        [0, [van(0, { ...PARIS, ...driving }), truck()]],
        [5, [van(5, { ...DEPOT, ...driving }), truck()]],
        [6, [van(6, { ...DEPOT, ...stopped }), truck()]],
      ],
      ["08:05 Van 1 (v1) arrived at Lyon Depot"],
    ],
    [
      "nothing about a vehicle that is there when the watch begins",
      arrives,
      [
        [0, [van(0, DEPOT), truck()]],
        [5, [van(5, DEPOT), truck()]],
      ],
      [],
    ],
    [
      "a second arrival only after the vehicle has left",
      arrives,
      [
        [0, [van(0, { ...PARIS, ...driving }), truck()]],
        [5, [van(5, DEPOT), truck()]],
        [6, [van(6, { ...near(120), ...stopped }), truck()]],
        [7, [van(7, DEPOT), truck()]],
        [8, [van(8, { ...near(200), ...driving }), truck()]],
        [9, [van(9, DEPOT), truck()]],
      ],
      ["08:05 Van 1 (v1) arrived at Lyon Depot", "08:09 Van 1 (v1) arrived at Lyon Depot"],
    ],
    [
      "one arrival in spite of repeated, late and future records and a fix at 0, 0",
      arrives,
      [
        [0, [van(0, { ...PARIS, ...driving }), truck()]],
        [5, [van(5, DEPOT), truck()]],
        [6, [van(5, DEPOT), truck()]],
        [7, [van(3, { ...PARIS, ...driving }), truck()]],
        [8, [van(8, { latitude: 0, longitude: 0, ...driving }), truck()]],
        [9, [van(90, { ...PARIS, ...driving }), truck()]],
        [10, [van(10, DEPOT), truck()]],
      ],
      ["08:05 Van 1 (v1) arrived at Lyon Depot"],
    ],
    [
      "an arrival whose record is a minute ahead of this machine's clock",
      arrives,
      [
        [0, [van(0, { ...PARIS, ...driving }), truck()]],
        [5, [van(6, DEPOT), truck()]],
        [7, [van(6, DEPOT), truck()]],
      ],
      ["08:06 Van 1 (v1) arrived at Lyon Depot"],
    ],
    [
      "a stop of ten minutes by a clock that is a minute ahead",
      { when: "stops", vehicle: "Van 1", forMinutes: 10 },
      [
        [0, [van(0, { ...PARIS, ...driving }), truck()]],
        [5, [van(6, { ...PARIS, ...stopped }), truck()]],
        [15, [van(6, { ...PARIS, ...stopped }), truck(15)]],
        [16, [van(6, { ...PARIS, ...stopped }), truck(16)]],
      ],
      ["08:16 Van 1 (v1) has stood still for 10 min"],
    ],
    [
      "no drift at the fence of a circle",
      { when: "leaves", vehicle: "Van 1", ...circle },
      [
        [0, [van(0, near(480))]],
        [1, [van(1, near(520))]],
        [2, [van(2, near(490))]],
        [3, [van(3, near(560))]],
        [4, [van(4, near(900))]],
        [5, [van(5, near(560))]],
        [6, [van(6, near(950))]],
      ],
      ["08:04 Van 1 (v1) left 45.75, 4.85 (within 500 m)"],
    ],
    [
      "nothing of a private journey, not even afterwards",
      arrives,
      [
        [0, [van(0, { ...PARIS, ...driving }), truck()]],
        [5, [van(5, { ...DEPOT, privacy: true }), truck()]],
        [6, [van(6, DEPOT), truck()]],
      ],
      [],
    ],
    [
      "that a private journey begins",
      { when: "becomesPrivate" },
      [
        [0, [van(0, PARIS)]],
        [5, [van(5, { ...PARIS, privacy: true })]],
        [6, [van(6, { ...PARIS, privacy: true })]],
      ],
      ["08:05 Van 1 (v1) began a private journey"],
    ],
    [
      "an arrival in a town, in any language",
      { when: "arrives", group: "Vans", at: { town: "Lione" } },
      [
        [0, [van(0, PARIS), truck()]],
        [5, [van(5, LYON), truck()]],
      ],
      ["08:05 Van 1 (v1) arrived at Lyon, France"],
    ],
    [
      "a meeting of two vehicles",
      { when: "arrives", vehicle: "Van 1", at: { vehicle: "Truck 2" } },
      [
        [0, [van(0, PARIS), truck(0, PARIS && near(5000))]],
        [5, [van(5, near(0)), truck(0, near(5000))]],
        [6, [van(5, near(0)), truck(6, near(100))]],
      ],
      ["08:06 Van 1 (v1) arrived at Truck 2 (v2)"],
    ],
    [
      "a border",
      { when: "entersCountry", country: "Germany" },
      [
        [0, [van(0, PARIS)]],
        [5, [van(5, { latitude: 48.57, longitude: 7.81, country: "DE" })]],
      ],
      ["08:05 Van 1 (v1) entered Germany"],
    ],
    [
      "a start after a stop, not one after a traffic light",
      { when: "starts", driver: "Ana Silva" },
      [
        [0, [van(0, { ...PARIS, ...driving })]],
        [1, [van(1, { ...PARIS, eventType: "idling" })]],
        [2, [van(2, { ...PARIS, ...driving })]],
        [3, [van(3, { ...PARIS, ...stopped })]],
        [9, [van(9, { ...PARIS, ...driving })]],
      ],
      ["08:09 Van 1 (v1) started driving"],
    ],
    [
      "a stop that lasts, although the vehicle sends nothing more",
      { when: "stops", forMinutes: 10 },
      [
        [0, [van(0, { ...PARIS, ...driving })]],
        [1, [van(1, { ...PARIS, ...stopped })]],
        [2, [van(1, { ...PARIS, ...stopped })]],
        [4, [van(1, { ...PARIS, ...stopped })]],
        [6, [van(1, { ...PARIS, ...stopped })]],
        [8, [van(1, { ...PARIS, ...stopped })]],
        [10, [van(1, { ...PARIS, ...stopped })]],
        [11, [van(1, { ...PARIS, ...stopped })]],
        [12, [van(1, { ...PARIS, ...stopped })]],
      ],
      ["08:11 Van 1 (v1) has stood still for 10 min"],
    ],
    [
      "no silence because the clock jumps ahead and back",
      { when: "silent", forMinutes: 30 },
      [
        [0, [van(0, PARIS)]],
        [1, [van(1, PARIS)]],
        [62, [van(2, PARIS)]],
        [3, [van(3, PARIS)]],
        [4, [van(3, PARIS)]],
      ],
      [],
    ],
    [
      "no silence because one vehicle's record is from the future, while the others are quiet",
      { when: "silent", forMinutes: 30 },
      [
        [0, [van(0, PARIS), truck(600_000)]],
        [1, [van(0, PARIS), truck(600_000)]],
        [2, [van(2, PARIS), truck(600_000)]],
      ],
      [],
    ],
    [
      "what happens once the service, which fails at first, can be read",
      { when: "starts" },
      [
        [0, 503],
        [1, [van(1, stopped)]],
        [2, [van(2, driving)]],
      ],
      ["08:02 Van 1 (v1) started driving"],
    ],
    [
      "speeding that lasts, not one that drops in between",
      { when: "speedOver", kmh: 90, forMinutes: 2 },
      [
        [0, [van(0, { ...driving, speed: 80 })]],
        [1, [van(1, { ...driving, speed: 95 })]],
        [2, [van(2, { ...driving, speed: 80 })]],
        [3, [van(3, { ...driving, speed: 95 })]],
        [4, [van(4, { ...driving, speed: 89 })]],
        [5, [van(5, { ...driving, speed: 96 })]],
      ],
      ["08:05 Van 1 (v1) drove faster than 90 km/h for 2 min"],
    ],
    [
      "a level once until it has risen clearly",
      { when: "fuelBelow", percent: 20 },
      [
        [0, [van(0, { fuelLevelPercentage: 30 })]],
        [1, [van(1, { fuelLevelPercentage: 19 })]],
        [2, [van(2, { fuelLevelPercentage: 21 })]],
        [3, [van(3, { fuelLevelPercentage: 18 })]],
      ],
      ["08:01 Van 1 (v1) has less than 20% fuel"],
    ],
    [
      "a low battery, and the end of charging",
      { when: "chargingEnds" },
      [
        [0, [van(0, { electricCharging: true })]],
        [1, [van(1, { electricCharging: false })]],
      ],
      ["08:01 Van 1 (v1) stopped charging"],
    ],
    [
      "a fault that begins, once",
      { when: "faultBegins" },
      [
        [0, [van(0, { activeFaultCodes: ["P0001"] })]],
        [1, [van(1, { activeFaultCodes: ["P0001", "P0420"] })]],
        [2, [van(2, { activeFaultCodes: [] })]],
        [3, [van(3, { activeFaultCodes: ["P0420"] })]],
      ],
      ["08:01 Van 1 (v1) has a new fault P0420"],
    ],
    [
      "what happened during a pause as late",
      arrives,
      [
        [0, [van(0, { ...PARIS, ...driving }), truck()]],
        [60, [van(20, DEPOT), truck(59)]],
      ],
      ["08:20 Van 1 (v1) arrived at Lyon Depot (late)"],
    ],
    [
      "nothing late if the rule drops it",
      { ...arrives, late: "drop" },
      [
        [0, [van(0, { ...PARIS, ...driving }), truck()]],
        [60, [van(20, DEPOT), truck(59)]],
      ],
      [],
    ],
    [
      "nothing outside the rule's hours",
      { when: "fuelBelow", percent: 20, between: ["22:00", "06:00"] },
      [
        [0, [van(0, { fuelLevelPercentage: 30 })]],
        [1, [van(1, { fuelLevelPercentage: 19 })]],
      ],
      [],
    ],
    [
      "one event while the service is down, and none for what it then repeats",
      arrives,
      [
        [0, [van(0, { ...PARIS, ...driving }), truck()]],
        [1, 503],
        [3, 503],
        [9, 503],
        [10, [van(10, DEPOT), truck()]],
      ],
      ["08:00 No data since 2026-11-20T08:00:00.000Z: the fleet cannot be read (upstream)", "08:10 Van 1 (v1) arrived at Lyon Depot"],
    ],
  ])("%s", async (_, rule, polls, expected) => {
    const events = await eventsOf([rule as Rule], polls);
    expect(brief(events)).toEqual(expected);
  });

  it("the same ids when the same records are watched again", async () => {
    const polls: Poll[] = [
      [0, [van(0, { ...PARIS, ...driving }), truck()]],
      [5, [van(5, DEPOT), truck()]],
    ];
    const [first, second] = [await eventsOf([arrives], polls), await eventsOf([arrives], polls)];
    expect(first.map(({ id }) => id)).toEqual(second.map(({ id }) => id));
    expect(first[0]).toMatchObject({
      rule: "r0",
      vehicle: { id: "v1", name: "Van 1" },
      driver: { name: "Ana Silva" },
      cause: { date: at(5), locationName: "Lyon Depot" },
    });
  });
});

it.each([
  ...["221B Baker Street", "Hauptstr. 12a, 12345 Berlin", "Calle Mayor 5, Madrid", "Am Alten Weg 3", "5, avenue Foch", "Kungsgatan 12"],
  ...["69001 Lyon", "SW1A 1AA", "1012 AB Amsterdam", "D-12345"],
])("%s is no name of a location", async (location) => {
  const rules = [{ when: "arrives", at: { location } }] as object[] as Rule[];
  await expect(eventsOf(rules, [[0, [van(0, PARIS), truck()]]])).rejects.toThrow(/is an address/);
});

it.each([
  ...["Depot 7, Lyon", "Warehouse 12345", "Gate 3 West", "Hub 5 St Pauls", "Site 12 Road Works", "4711", "Stellplatz 4", "M25 Services"],
  ...["Zone 4, Via Appia depot", "12 Rue de Lyon"],
])("%s may be the name of a location", async (location) => {
  const rules = [{ when: "arrives", vehicle: "Van 1", at: { location } }] as object[] as Rule[];
  const there = { ...LYON, locationId: "l9", locationName: location };
  // The last one is an address, unless a vehicle reports a location called so.
  const isKnown = location === "12 Rue de Lyon";
  const polls: Poll[] = [
    [0, [van(0, PARIS), truck(0, isKnown ? there : DEPOT)]],
    [1, [van(1, there), truck(0, isKnown ? there : DEPOT)]],
  ];
  expect(brief(await eventsOf(rules, polls))).toEqual([`08:01 Van 1 (v1) arrived at ${location}`]);
});

describe("a parked vehicle", () => {
  const metresAway = (metres: number) => ({ ...LYON, latitude: 45.75 + metres * METRE });
  const here = { ...metresAway(0), locationId: "loc1", locationName: "Lyon Depot" };
  const away = (metres: number, more: object = stopped) => ({ ...metresAway(metres), city: "Villeurbanne", ...more });
  const places: [string, object][] = [
    ["a location", { location: "Lyon Depot" }],
    ["a town", { town: "Lyon" }],
    ["a circle", circle.at],
    ["a small circle", { lat: 45.75, lng: 4.85, radiusMetres: 100 }],
    ["another vehicle", { vehicle: "Truck 2" }],
  ];
  const fixes: [what: string, fixes: object[], events: string[]][] = [
    ["one fix 320 m away", [away(320)], []],
    ["one fix 2.5 km away", [away(2500)], []],
    ["one fix 2.5 km away, without an event type", [away(2500, { speed: 0 })], []],
    ["two fixes 2.5 km away", [away(2500), away(2500)], ["08:02 left", "08:10 arrived"]],
    ["that drives 2.5 km", [away(2500, driving)], ["08:02 left", "08:10 arrived"]],
  ];
  it.each(places.flatMap(([where, at]) => fixes.map(([what, fix, events]) => ({ where, at, what, fix, events }))))(
    "at $where has $what",
    async ({ at, fix, events: expected, where }) => {
      const places: object[] = [here, here, ...fix, here, here];
      const polls = places.map((place, index): Poll => {
        const minute = index < 2 + fix.length ? index : index + 8 - fix.length;
        return [minute, [van(minute, { ...stopped, ...place }), truck(minute, { ...here, ...stopped })]];
      });
      const events = await eventsOf(
        [
          { when: "leaves", vehicle: "Van 1", at },
          { when: "arrives", vehicle: "Van 1", at },
        ] as object[] as Rule[],
        polls,
      );
      const isFarEnough = !(where === "a circle" && fix[0] === fixes[0]?.[1][0]);
      const short = events.map(({ at: time, text }) => `${time.slice(11, 16)} ${/left|arrived/.exec(text)?.[0]}`);
      expect(short).toEqual(isFarEnough ? expected : []);
    },
  );

  const visits: [what: string, fixes: object[], events: string[]][] = [
    ["one fix in it", [here], []],
    ["one fix in it, without an event type", [{ ...here, eventType: undefined, speed: 0 }], []],
    ["two fixes in it", [here, here], ["08:02 arrived", "08:10 left"]],
    ["one fix in it, twice, with one where it stands between", [here, away(2500), here], []],
    ["one fix in it after it drove", [away(1500, driving), here], ["08:03 arrived", "08:10 left"]],
    ["a fix in it in which it drives", [{ ...here, ...driving }], ["08:02 arrived", "08:10 left"]],
    ["one fix in it and drives in", [here, { ...here, ...driving }], ["08:02 arrived", "08:10 left"]],
    ["one fix in it and drives off elsewhere", [here, away(5000, driving)], []],
  ];
  it.each(places.flatMap(([where, at]) => visits.map(([what, fix, events]) => ({ where, at, what, fix, events }))))(
    "outside $where has $what",
    async ({ at, fix, events: expected }) => {
      const places: object[] = [away(2500), away(2500), ...fix, away(2500), away(2500)];
      const polls = places.map((place, index): Poll => {
        const minute = index < 2 + fix.length ? index : index + 8 - fix.length;
        return [minute, [van(minute, { ...stopped, ...place }), truck(minute, { ...here, ...stopped })]];
      });
      const rules = ["leaves", "arrives"].map((when) => ({ when, vehicle: "Van 1", at })) as object[] as Rule[];
      const short = (await eventsOf(rules, polls)).map(({ at: time, text }) => `${time.slice(11, 16)} ${/left|arrived/.exec(text)?.[0]}`);
      expect(short).toEqual(expected);
    },
  );

  it("counts its next real departure after one odd fix", async () => {
    for (const [, at] of places) {
      const spots: object[] = [here, here, away(2500), here, here, away(900, driving), away(1500, driving)];
      const polls = spots.map(
        (spot, minute): Poll => [minute, [van(minute, { ...stopped, ...spot }), truck(minute, { ...here, ...stopped })]],
      );
      const events = await eventsOf([{ when: "leaves", vehicle: "Van 1", at }] as object[] as Rule[], polls);
      expect(events.map(({ at: time }) => time.slice(11, 16))).toEqual(["08:05"]);
    }
  });

  it.each<[string, object, string[]]>([
    ["the vehicle at which it stands has one fix 2.5 km away", stopped, []],
    ["the vehicle at which it stands drives 2.5 km", driving, ["08:02 Van 1 (v1) left Truck 2 (v2)"]],
  ])("causes what is so if %s", async (_, how, expected) => {
    const spots: object[] = [here, here, away(2500, how), here, here];
    const polls = spots.map(
      (spot, minute): Poll => [minute, [van(minute, { ...here, ...stopped }), truck(minute, { ...stopped, ...spot })]],
    );
    expect(brief(await eventsOf([{ when: "leaves", vehicle: "Van 1", at: { vehicle: "Truck 2" } }] as object[] as Rule[], polls))).toEqual(
      expected,
    );
  });
});

it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])("a fault called %s is one like any other", async (code) => {
  const polls = [[], [code], [code], []].map((activeFaultCodes, minute): Poll => [minute, [van(minute, { activeFaultCodes })]]);
  const again: Poll[] = [
    [40, [van(40, { activeFaultCodes: [] })]],
    [41, [van(41, { activeFaultCodes: [code] })]],
  ];
  expect(brief(await eventsOf([{ when: "faultBegins" }], [...polls, ...again]))).toEqual([
    `08:01 Van 1 (v1) has a new fault ${code}`,
    `08:41 Van 1 (v1) has a new fault ${code}`,
  ]);
});

describe("rules are refused", () => {
  it.each<[string, object, RegExp]>([
    ["with an unknown condition", { when: "explodes" }, /rule r0\.when: when must be one of arrives, leaves/],
    ["with a circle without a radius", { when: "arrives", at: { lat: 1, lng: 2 } }, /rule r0\.at: must be \{"location"/],
    ["with two places", { when: "arrives", at: { town: "Lyon", location: "Lyon Depot" } }, /rule r0\.at: must be/],
    ["for a vehicle and a group", { when: "starts", vehicle: "Van 1", group: "Vans" }, /not several/],
    ["with a field of another condition", { when: "starts", percent: 5 }, /percent/],
    ["with an unknown vehicle", { when: "starts", vehicle: "Van 77" }, /rule r0\.vehicle: No vehicle matches "Van 77"/],
    ["with a misspelt location", { when: "arrives", at: { location: "Lyon Depto" } }, /Did you mean Lyon Depot/],
    [
      "with a town of which there are several",
      { when: "arrives", at: { town: "Frankfurt" } },
      /Which one: Frankfurt am Main, .*; Frankfurt/,
    ],
    ["without a number of minutes", { when: "stops" }, /rule r0\.forMinutes: is missing, and must be a number/],
    ["with an unknown town", { when: "arrives", at: { town: "Atlantis" } }, /rule r0\.at\.town: No country or city matches/],
    ["with an unknown country", { when: "entersCountry", country: "Atlantis" }, /no country is called/],
    [
      "with an address as a location",
      { when: "arrives", at: { location: "24, Trafford Road, Carlisle" } },
      /rule r0\.at\.location: .*is an address/,
    ],
    [
      "with a postcode as a location",
      { when: "arrives", at: { location: "CA3 0HA Carlisle" } },
      /is an address, .*Use a location, a town, /,
    ],
    ["with a country as a location", { when: "arrives", at: { location: "Germany" } }, /is a country, .*entersCountry/],
    ["with the vehicle itself as the place", { when: "arrives", vehicle: "Van 1", at: { vehicle: "Van 1" } }, /vehicle of the rule itself/],
  ])("%s", async (_, rule, message) => {
    await expect(eventsOf([rule as Rule], [[0, [van(0, PARIS), truck()]]])).rejects.toThrow(message);
  });

  it("if they change while watching, and those before stay", async () => {
    const refused: string[] = [];
    const polls: Poll[] = [
      [0, [van(0, { ...PARIS, ...driving }), truck()]],
      [3, [van(3, { ...PARIS, ...driving }), truck()]],
      [5, [van(5, DEPOT), truck()]],
    ];
    const changed = [{ when: "starts", vehicle: "Van 77" }, { when: "becomesPrivate" }] as Rule[];
    const events = await eventsOf([arrives], polls, { onRefusal: ({ message }) => refused.push(message) }, { 1: changed });
    expect(refused).toEqual([expect.stringMatching(/rule r0\.vehicle: No vehicle matches "Van 77"/)]);
    expect(brief(events)).toEqual(["08:05 Van 1 (v1) arrived at Lyon Depot"]);
  });
});

import { isRecord } from "@fleetwire/core/internal";

type Fields = Record<string, unknown>;

/** Latin letters and the Cyrillic letters that look the same. */
const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [..."ABCEHKMOPTXY"].map((letter, at) => [letter, [..."АВСЕНКМОРТХУ"][at] ?? letter]),
);

const DEFAULT_END_YEAR = "1900";

/** The position of the vehicle with a name, by default the middle one of the list. */
function positionOf(body: unknown, name: string | undefined): Fields | undefined {
  if (!Array.isArray(body)) return undefined;
  const wanted = name?.toLowerCase();
  return wanted === undefined
    ? body[Math.floor(body.length / 2)]
    : body.find(({ assetName }) => String(assetName).toLowerCase() === wanted);
}

function* recordsIn(value: unknown): Generator<Fields> {
  if (isRecord(value)) yield value;
  for (const inner of Array.isArray(value) || isRecord(value) ? Object.values(value) : []) yield* recordsIn(inner);
}

function twoCards(entry: Fields): Fields[] {
  const { driverKey, activities } = entry;
  if (typeof driverKey !== "string" || !Array.isArray(activities) || activities.length < 2) return [entry];
  const half = Math.ceil(activities.length / 2);
  const renewed = `${driverKey.slice(0, -1)}${(Number(driverKey.slice(-1)) + 1) % 10}`;
  return [
    { ...entry, activities: activities.slice(0, half) },
    { ...entry, driverKey: renewed, activities: activities.slice(half) },
  ];
}

interface OddRecords {
  readonly effect: string;
  readonly value?: RegExp;
  readonly change: (body: unknown, value: string | undefined) => void;
}

const NAME = /^[\p{L}\p{N} .-]{1,60}$/u;

/** Data as services really send it although nothing documents it, by the fault that asks for it. */
export const ODD_RECORDS = {
  "odd-fix": {
    effect: "lists a vehicle at 0, 0 with its old address; =NAME picks the vehicle, here and below by default the middle one",
    value: NAME,
    change: (body, name) => Object.assign(positionOf(body, name) ?? {}, { latitude: 0, longitude: 0 }),
  },
  "odd-levels": {
    effect: "gives a vehicle levels that stand for no value: -5 % fuel, 255 % battery, 65535 minutes, 4294967.295 km; =NAME",
    value: NAME,
    change: (body, name) =>
      Object.assign(positionOf(body, name) ?? {}, {
        fuelLevelPercentage: -5,
        electricBatteryLevelPercent: 255,
        electricCharging: true,
        electricChargingTimeRemainingMins: 65_535,
        odometer: 4_294_967.295,
      }),
  },
  "odd-private": {
    effect: "lists a vehicle as on a private journey, but with its place; =NAME",
    value: NAME,
    change: (body, name) => Object.assign(positionOf(body, name) ?? {}, { privacy: true }),
  },
  "odd-twice": {
    effect: "lists a vehicle twice with the same date, the second time as on a private journey; =NAME",
    value: NAME,
    change: (body, name) => {
      const position = positionOf(body, name);
      if (position) (body as Fields[]).push({ ...position, privacy: true });
    },
  },
  "odd-plates": {
    effect: "writes registrations with Cyrillic letters that look like Latin ones",
    change: (body) => {
      for (const record of recordsIn(body))
        if (typeof record["assetRegistration"] === "string")
          record["assetRegistration"] = record["assetRegistration"].replace(/[A-Z]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
    },
  },
  "odd-end": {
    effect: `gives faults and activities in progress an end in ${DEFAULT_END_YEAR}, or in =YEAR`,
    value: /^\d{4}$/,
    change: (body, year = DEFAULT_END_YEAR) => {
      for (const record of recordsIn(body))
        if (record["inProgress"] === true) record["startTime" in record ? "endTime" : "endDate"] = `${year}-01-01T00:00:00Z`;
    },
  },
  "odd-card": {
    effect: "splits each driver's activities between two cards, as after a renewal: the second has the next issue number",
    change: (body) => {
      if (isRecord(body) && Array.isArray(body["data"])) body["data"] = body["data"].flatMap(twoCards);
    },
  },
  "odd-totals": {
    effect: "rounds totalPages down, and moves the totals of other lists into pagination",
    change: (body) => {
      if (!isRecord(body)) return;
      const { pagination, total } = body;
      if (isRecord(pagination)) pagination["totalPages"] = Math.floor(Number(pagination["totalItems"]) / Number(pagination["pageSize"]));
      if (total !== undefined) {
        body["pagination"] = { totalItems: total };
        delete body["total"];
      }
    },
  },
} as const satisfies Record<string, OddRecords>;

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
  "odd-latitude": {
    effect: "lists a vehicle at latitude -270; =NAME",
    value: NAME,
    change: (body, name) => Object.assign(positionOf(body, name) ?? {}, { latitude: -270 }),
  },
  "odd-address": {
    effect: "lists a vehicle 300 km north of the address and geo-fence that it keeps; =NAME",
    value: NAME,
    change: (body, name) => {
      const position = positionOf(body, name);
      if (typeof position?.["latitude"] === "number") position["latitude"] += 2.7;
    },
  },
  "odd-speed": {
    effect: "lists a parked vehicle, with the ignition off, at 0.4 km/h; =NAME",
    value: NAME,
    change: (body, name) => Object.assign(positionOf(body, name) ?? {}, { speed: 0.4, ignitionStatus: "OFF", eventType: "stopped" }),
  },
  "odd-names": {
    effect: "calls the first two drivers Kowalski, Jan and Kowalski, Anna, and puts an invisible character into a vehicle's name",
    change: (body) => {
      if (!Array.isArray(body)) return;
      const driven = body.filter(({ driverName }) => typeof driverName === "string");
      for (const [at, name] of ["Kowalski, Jan", "Kowalski, Anna"].entries()) if (driven[at]) driven[at].driverName = name;
      const [first] = body;
      if (typeof first?.assetName === "string") first.assetName = first.assetName.replace(" ", " \u200b");
    },
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
    effect: "lists a vehicle twice with the same date, the second time with another offset and on a private journey; =NAME",
    value: NAME,
    change: (body, name) => {
      const position = positionOf(body, name);
      if (position) (body as Fields[]).push({ ...position, date: String(position["date"]).replace(/Z$/, "+00:00"), privacy: true });
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
  "odd-beside": {
    effect: "sends the page size and the time beside the list of jobs or tire events, and no total",
    change: (body) => {
      if (!isRecord(body) || body["total"] === undefined) return;
      delete body["total"];
      Object.assign(body, { pageSize: 1000, serverTime: 1_795_165_200_000 });
    },
  },
  "odd-next": {
    effect: "sends a link to the next page instead of totals",
    change: (body) => {
      if (!isRecord(body) || (body["total"] === undefined && body["pagination"] === undefined)) return;
      delete body["total"];
      delete body["pagination"];
      body["links"] = { next: "/next-page" };
    },
  },
  "odd-token": {
    effect: "issues access tokens of the type mac",
    change: (body) => {
      if (isRecord(body) && body["token_type"] !== undefined) body["token_type"] = "mac";
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

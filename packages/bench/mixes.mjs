// The responses to read: live positions generated from the schema, so that new fields are included.
import { LivePosition } from "@fleetwire/core";

/** A seeded random number generator (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SYLLABLES = ["ka", "ro", "len", "mi", "tor", "san", "berg", "wil", "no", "ra"];

function generate(schema, random) {
  const { type, innerType, entries, element, check } = schema._zod.def;
  const pick = (list) => list[Math.floor(random() * list.length)];
  switch (type) {
    case "optional":
      return generate(innerType, random);
    case "string":
      return Array.from({ length: 4 }, () => pick(SYLLABLES)).join("");
    case "number":
      return check === "number_format" ? Math.floor(random() * 1e6) : Math.round(random() * 9e6) / 1e5;
    case "boolean":
      return random() < 0.1;
    case "enum":
      return pick(Object.values(entries));
    case "union":
      return 350_000_000_000_000 + Math.floor(random() * 1e9);
    case "array":
      return [generate(element, random), generate(element, random)];
    default:
      throw new TypeError(`Cannot generate a value for a schema of type ${type}`);
  }
}

const SHAPES = 300;
const fields = Object.entries(LivePosition.shape);

function fullRecord(random) {
  return Object.fromEntries(fields.map(([name, schema]) => [name, generate(schema, random)]));
}

/** How a record of each mix differs from a full one. */
const changes = {
  "one shape": (record) => record,
  // As many shapes as in a large fleet: each lacks different fields.
  "many shapes": (record, at) => {
    const keep = randomFrom(1 + (at % SHAPES));
    return Object.fromEntries(Object.entries(record).filter(() => keep() < 0.6));
  },
  "null-heavy": (record, _at, random) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, random() < 0.5 ? null : value])),
  // Every record has an unknown field, unknown values, a wrong type and a null, which vary.
  "drifting everywhere": (record, at) => ({
    ...record,
    eventType: `event${at % 3}`,
    fuelType: ["DIESEL", "COAL"],
    [at % 2 ? "speed" : "odometer"]: "12",
    [at % 2 ? "privacy" : "electricCharging"]: at % 4 < 2 ? "false" : 0,
    road: null,
    [`extra${at % 5}`]: { at },
  }),
};

export const mixNames = Object.keys(changes);

/** Generates the records of a mix. */
export function recordsOf(mix, count) {
  const random = randomFrom(1);
  return Array.from({ length: count }, (_, at) => changes[mix](fullRecord(random), at, random));
}

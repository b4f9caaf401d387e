import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { sealKey, utf8 } from "../bytes.ts";

/** Makes stable pseudonyms of drivers' names, and remembers whose it made. */
export interface DriverAlias {
  (name: string): string;
  /** The names that were seen in fields which are known to hold one. */
  readonly known: Set<string>;
}

/** Whether drivers' names are hidden, and what stands in for them. */
interface Hiding {
  settings: { driverNames: "show" | "hide" };
  driverAlias: DriverAlias;
}

/** More names than any fleet has drivers. */
const MOST_KNOWN = 100_000;

/** The same name has the same pseudonym as long as the key stays. */
export function createDriverAlias(key: string | undefined): DriverAlias {
  const secret = sealKey(key);
  let keyed: ReturnType<typeof hmac.create> | undefined;
  const alias = (name: string) => {
    // Two of the four blocks that a pseudonym costs are of the key alone.
    keyed ??= hmac.create(sha256, secret());
    return `Driver ${bytesToHex(keyed.clone().update(utf8(name)).digest().subarray(0, 3))}`;
  };
  return Object.assign(alias, { known: new Set<string>() });
}

/** Fields of the interface that hold the name of a driver, in whatever record they stand. */
const DOCUMENTED = new Set(["driverName", "personName", "assignedPersonName"]);

// In answers whose shape is not documented a name may stand anywhere; rather too much is hidden than too little.
const NAMES_A_DRIVER = /(driver|person).*name|name.*(driver|person)|^(driver|person)s?$/i;
const IS_A_DRIVER = /driver|person/i;
const OF_A_GROUP = /group/i;
const TELLS_WHO = /(driver|person)_?(id|key|number)$/i;
const NAME = /^((full|display|first|last|given|family|sur)_?)?name$/i;

const isOfDriver = (field: string) => IS_A_DRIVER.test(field) && !OF_A_GROUP.test(field);

/** Deeper than any record is; what lies below is shown nowhere. */
const DEEPEST = 100;

interface Place {
  field: string;
  /** The record, or one around it, is about a person. */
  ofDriver?: boolean;
  depth: number;
}

/** A copy in which each text is what is made of it. */
function withTexts(inner: unknown, place: Place, textOf: (text: string, place: Place) => unknown): unknown {
  if (typeof inner === "string") return textOf(inner, place);
  if (typeof inner !== "object" || inner === null) return inner;
  const depth = place.depth + 1;
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(inner)) return inner.map((item) => withTexts(item, { ...place, depth }, textOf));
  const entries = Object.entries(inner);
  const ofDriver = isOfDriver(place.field) || entries.some(([field]) => TELLS_WHO.test(field));
  return Object.fromEntries(entries.map(([field, item]) => [field, withTexts(item, { field, ofDriver, depth }, textOf)]));
}

/** Any record with drivers' names replaced where they are to be hidden: in fields that hold one, beside a driver's id, and wherever a value is one. */
export function hideDriverNames<Value>(value: Value, { settings, driverAlias }: Hiding): Value {
  if (settings.driverNames === "show") return value;
  const { known } = driverAlias;
  const learn = (text: string, { field }: Place) => {
    if (!DOCUMENTED.has(field)) return;
    if (known.size >= MOST_KNOWN) known.clear();
    known.add(text.trim());
  };
  const hide = (text: string, { field, ofDriver }: Place) => {
    const name = text.trim();
    // It names nobody, and a pseudonym would tell of somebody.
    if (name === "") return text;
    const namesOne = (NAMES_A_DRIVER.test(field) && !OF_A_GROUP.test(field)) || (ofDriver && NAME.test(field));
    return namesOne || known.has(name) ? driverAlias(name) : text;
  };
  const whole: Place = { field: "", depth: 0 };
  // A name may stand before the field that tells that it is one.
  withTexts(value, whole, learn);
  return withTexts(value, whole, hide) as Value;
}

// A shorter one may be a part of any word.
const SHORTEST_IN_TEXT = 4;

/** A text of ours with known drivers' names replaced: what the service says of a refusal may hold one. */
export function hideKnownNames(text: string, { driverAlias }: Pick<Hiding, "driverAlias">): string {
  const held = [...driverAlias.known].filter((name) => name.length >= SHORTEST_IN_TEXT && text.includes(name));
  return held.sort((a, b) => b.length - a.length).reduce((hidden, name) => hidden.replaceAll(name, driverAlias(name)), text);
}

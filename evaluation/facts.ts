import { clockOf } from "./days.ts";
import { clockTimesIn, durationsIn, escaped, numbersIn, plain, squeezed } from "./read-answer.ts";
import type { Wire, World } from "./world.ts";

/** What a correct answer must show. */
export interface Fact {
  says: string;
  holds(answer: Answer): boolean;
  /** Whether the results of the calls show it; for names, numbers and times. */
  shows?(results: string): boolean;
  /** Whether it is about the effects of the calls. */
  readsEffects?: true;
}

interface Answer {
  /** As returned by {@link plain}. */
  text: string;
  /** The effects of the question's calls. */
  after: World;
}

const fact = (says: string, holds: (text: string, answer: Answer) => boolean): Fact => ({
  says,
  holds: (answer) => holds(answer.text, answer),
});

/** A fact that results show in the same way as answers. */
const shown = (says: string, holds: (text: string) => boolean): Fact => ({ ...fact(says, holds), shows: holds });

/** A pattern is matched against {@link plain} text: lower case without accents. */
export const says = (what: string, pattern: RegExp) => fact(`says ${what}`, (text) => pattern.test(text));
export const never = (what: string, pattern: RegExp) => fact(`does not say ${what}`, (text) => !pattern.test(text));
export const either = (...facts: Fact[]) =>
  fact(facts.map((one) => one.says).join(", or "), (_, answer) => facts.some((one) => one.holds(answer)));
export const all = (...facts: Fact[]) =>
  fact(facts.map((one) => one.says).join(" and "), (_, answer) => facts.every((one) => one.holds(answer)));

/** Matches no text. */
const NOTHING = /(?!)/;

/** States a value as the records have it, or by another name. */
export const states = (value: string, otherwise = NOTHING) =>
  shown(`states ${value}`, (text) => new RegExp(`(?<![a-z0-9])${escaped(plain(value))}(?![a-z0-9])`).test(text) || otherwise.test(text));

/** Throws if the question's subject no longer exists. */
export function given(what: string, holds: boolean): [] {
  if (!holds) throw new Error(`No longer so in this world: ${what}`);
  return [];
}

const AND = "(?:,|/|&|\\+|-|and|und|et|y|e|i|en|och|a|si)";

/** Finds the vehicle's name, alone or in a list such as "Trucks 3, 5 and 12", or its registration. */
function placesOf(vehicle: Wire, text: string): number[] {
  const [, kind = "", number] = /^(.*?) ?(\d+)?$/.exec(plain(vehicle["assetName"] ?? vehicle["vehicleName"])) ?? [];
  const word = kind.startsWith("e") ? `e-?${escaped(kind.slice(1))}` : escaped(kind);
  const listed = `\\d+ ?(?:\\([^)]*\\) ?)?(?:${AND} ?)+`;
  // A plural names vehicles only in a list: "Verona Vans: 3 faults" does not mean Van 3, nor does it without the colon.
  const name = new RegExp(
    `(?<![a-z0-9-])${word}(?:s(?=[ -]*${listed}\\d))?[ -]*(?:(?:nr|no)\\.? ?|#)?(?:${listed})*0*${number}(?![0-9])`,
    "g",
  );
  const registration = squeezed(vehicle["assetRegistration"] ?? "-");
  const plate = new RegExp([...registration].map(escaped).join("[ -]?"), "g");
  return [...text.matchAll(name), ...(registration ? text.matchAll(plate) : [])].map(({ index }) => index);
}

export const mentions = (vehicle: Wire) => shown(`names ${vehicle["assetName"]}`, (text) => placesOf(vehicle, text).length > 0);

const ASIDE =
  /\b(not?|except|exclu\w*|sold|private|without|but|nicht|kein\w*|ausser|verkauft|privat\w*|ohne|pas|sauf|vendu\w*|privee?|excepto|vendid\w*|sin|non|vendut\w*|escl\w*|nie|bez|sprzedan\w*|niet|geen|behalve|verkocht|nao|sem|ne|krome|prodan\w*|inte|utom|sald\w*|unknown|unbekannt)\b/;

/** Names these vehicles, and any others only in a sentence that excludes them. */
export function lists(vehicles: readonly Wire[], world: World): Fact {
  const others = [...world.vehicles, ...world.sold].filter((one) => !vehicles.includes(one));
  const names = vehicles.map((one) => one["assetName"]).join(", ");
  const hasAll = (text: string) => vehicles.every((one) => placesOf(one, text).length > 0);
  const exactly = fact(`lists exactly ${names || "nothing"}`, (text) => {
    const sentences = text.split(/(?<=[.;:!?)])\s|\s-\s|\(/);
    const extra = others.filter((one) => sentences.some((sentence) => placesOf(one, sentence).length > 0 && !ASIDE.test(sentence)));
    return hasAll(text) && extra.length === 0;
  });
  return { ...exactly, shows: hasAll };
}

/** A family name may be declined: Kaczmarka, Brandtovou. */
function person(name: string): RegExp {
  const family = plain(name).split(" ").at(-1) ?? "";
  // Kaczmarek becomes Kaczmarka.
  const stem = family.length > 4 ? escaped(family.replace(/[aeiouy]$/, "")).replace(/ek$/, "e?k") : escaped(family);
  return new RegExp(`(?<![a-z])${stem}${family.length > 4 ? "[a-z]{0,4}" : "'?s?"}(?![a-z])`);
}

export const who = (name: string) => shown(`names ${name}`, (text) => person(name).test(text));

/** Names people, or vehicles, in this order. */
export function inOrder(names: readonly string[]): Fact {
  return fact(`in order: ${names.join(", ")}`, (text) => {
    const at = names.map((name) => text.search(person(name)));
    return at.every((place, index) => place >= 0 && (index === 0 || place > (at[index - 1] ?? 0)));
  });
}

/** Leaves out names, registrations, dates and times, whose digits are not counts. */
const withoutNames = (text: string) =>
  text
    .replace(/\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.(?:\d{4})?|\d{1,2}:\d{2}/g, " ")
    .replace(
      /(?<![a-z])(?:e-?)?(?:truck|van|trailer|car)s?[ -]*\d+(?: ?(?:,|&|and|und|et|y|e|i|en|och|a|si) ?\d+(?![.,]?\d*(?: ?[%a-z])))*/g,
      " ",
    );

/** States a count, in digits or words. */
export const count = (value: number) => fact(`counts ${value}`, (text) => numbersIn(withoutNames(text)).includes(value));

/** States a number, in any format. */
export const number = (value: number, within = 0.5) =>
  shown(`states ${value} (±${within})`, (text) => numbersIn(text).some((one) => Math.abs(one - value) <= within + 1e-9));

/** States a time in the user's zone, give or take a minute. */
export const time = (instant: number) =>
  shown(`states ${clockOf(instant)}`, (text) => {
    const [hours = 0, minutes = 0] = clockOf(instant).split(":").map(Number);
    const expected = hours * 60 + minutes;
    return clockTimesIn(text).some((one) => Math.abs(one - expected) <= 1);
  });

/** States a length of time, given in seconds. */
export const duration = (seconds: number, withinMinutes = 3) =>
  shown(`states ${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min (±${withinMinutes})`, (text) =>
    durationsIn(text).some((one) => Math.abs(one - seconds / 60) <= withinMinutes),
  );

const YES = /^\W*(?:[a-z]+\W+){0,2}?(?:yes|yeah|yep|ja|jawohl|doch|oui|si|tak|sim|ano|jo|da|correct|korrekt|genau)\b/;
const NO =
  /\b(?:no|nope|not|none|isn't|doesn't|hasn't|nein|nicht|kein\w*|non|pas|aucun\w*|ningun\w*|nada|nessun\w*|nie|zadn\w*|brak|nee|niet|geen|nao|nenhum\w*|ne|neni|nema|nejde|nej|inte|ingen|inget|inga|nu|niciun\w*)\b/;

/** Affirms: begins with a yes, or matches the pattern, which means the same. */
export const yes = (or = NOTHING) => fact("says yes", (text) => YES.test(text) || or.test(text));
export const no = (or = NOTHING) => fact("says no", (text) => (NO.test(text.slice(0, 250)) && !YES.test(text)) || or.test(text));

/** Says that there is no such data or ability. */
export const declines = () =>
  fact("declines", (text) =>
    /\b(?:no|not|none|cannot|can't|don't|doesn't|isn't|unable|unavailable|nicht|kein\w*|pas|aucun\w*|impossible|ningun\w*|nessun\w*|non|nie|brak|zadn\w*|niet|geen|nao|nenhum\w*|sem|ne|nelze|nejde|nejdou|nejsou|nemam\w*|nemaj\w*|nemuz\w*|nemoh\w*|neni|neumim|neznam|nevim|nevid\w*|nedokaz\w*|nedostupn\w*|neexistuj\w*|inte|ingen|inga|inget|saknas|nu|lipsesc)\b/.test(
      text,
    ),
  );

/** Asks which one is meant, or gives all candidates; names at least two. */
export const asksWhich = (candidates: readonly Wire[], least = 2) =>
  fact(`asks which of ${candidates.map((one) => one["assetName"]).join(", ")}`, (text) => {
    return candidates.filter((one) => placesOf(one, text).length > 0).length >= Math.min(least, candidates.length);
  });

export const asks = () =>
  fact(
    "asks",
    (text) =>
      text.includes("?") ||
      /\b(?:need|brauche|benotige|besoin|necesito|potrzebuj|nodig|preciso|potrebuj|behover|serve|tell me|which|provide)\b/.test(text),
  );

import type { CountryCode } from "./countries.ts";
import { scramble, topic } from "./random.ts";

const LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ";

/** Consumes a number digit by digit, so that different numbers yield different plates. */
class Spender {
  #left: number;

  constructor(number: number) {
    this.#left = number;
  }

  #take(count: number): number {
    const taken = this.#left % count;
    this.#left = Math.floor(this.#left / count);
    return taken;
  }

  letters(count: number): string {
    let text = "";
    for (let at = 0; at < count; at++) text += LETTERS.charAt(this.#take(LETTERS.length));
    return text;
  }

  digits(count: number): string {
    let text = "";
    for (let at = 0; at < count; at++) text += this.#take(10);
    return text;
  }

  number(low: number, high: number): string {
    return String(low + this.#take(high - low));
  }

  one(list: readonly string[]): string {
    return list[this.#take(list.length)] ?? "";
  }
}

const two = (year: number) => String(year % 100).padStart(2, "0");

/** A country's registration format; `year` is the year of first registration. */
const PLATES: Partial<Record<CountryCode, (from: Spender, year: number) => string>> = {
  AT: (from) => `${from.one(["W", "L", "S", "G"])} ${from.number(10000, 99999)} ${from.letters(1)}`,
  BE: (from) => `1-${from.letters(3)}-${from.digits(3)}`,
  CZ: (from) => `${from.number(1, 10)}${from.one(["A", "B", "P", "T"])}${from.letters(1)} ${from.digits(4)}`,
  DE: (from) => `${from.one(["HH", "K", "M", "B", "F", "L"])} ${from.letters(2)} ${from.number(1000, 9999)}`,
  DK: (from) => `${from.letters(2)} ${from.digits(2)} ${from.digits(3)}`,
  ES: (from) => `${from.digits(4)} ${from.one(["K", "L", "M"])}${from.letters(2)}`,
  FR: (from) => `${from.one(["E", "F", "G"])}${from.letters(1)}-${from.digits(3)}-${from.letters(2)}`,
  GB: (from, year) => `${from.one(["B", "K", "L", "M", "N", "Y"])}${from.letters(1)}${two(year)} ${from.letters(3)}`,
  IE: (from, year) => `${two(year)}${from.one(["1", "2"])}-${from.one(["D", "C", "L", "G"])}-${from.number(1000, 199_999)}`,
  IT: (from) => `${from.one(["F", "G"])}${from.letters(1)} ${from.digits(3)} ${from.letters(2)}`,
  NL: (from) => `${from.number(10, 99)}-${from.letters(3)}-${from.number(1, 10)}`,
  PL: (from) => `${from.one(["PO", "WI", "KR", "DW", "EL"])} ${from.digits(4)}${from.letters(1)}`,
  SE: (from) => `${from.letters(3)} ${from.digits(3)}`,
};

const LONGEST_SERIES = 999_983;
const PLATE = topic("registration");

/** The registration of the nth vehicle in a country, unique up to 999,983 vehicles. */
export function registration(country: CountryCode, seed: number, number: number, year: number): string {
  const write = PLATES[country] ?? PLATES.FR;
  const shuffled = ((number + (scramble(seed, PLATE) % LONGEST_SERIES)) * 618_113) % LONGEST_SERIES;
  return write ? write(new Spender(shuffled), year) : "";
}

const VIN_CHARACTERS = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789";
const YEAR_CHARACTERS = "KLMNPRSTVWXY";
const VIN = topic("vehicle identification number");

/** A 17-character VIN: manufacturer, description, model year from 2019 on, plant and serial number. */
export function vehicleIdentificationNumber(manufacturer: string, seed: number, number: number, year: number): string {
  let description = "";
  for (let at = 0; at < 6; at++) description += VIN_CHARACTERS.charAt(scramble(seed, VIN, at) % VIN_CHARACTERS.length);
  const plant = VIN_CHARACTERS.charAt(scramble(seed, VIN, 7) % 23);
  return `${manufacturer}${description}${YEAR_CHARACTERS.charAt(year - 2019)}${plant}${String(100_000 + number)
    .padStart(6, "0")
    .slice(-6)}`;
}

import type { Position } from "@fleetwire/tools/internal";
import { beforeAll, describe, expect, it } from "vitest";
import { thousandVehicles } from "./thousand-vehicles.ts";

let fleet: Awaited<ReturnType<typeof thousandVehicles>>;
let vehicleOf: Map<string, Position>;
/** The vehicles whose names are perturbed. */
let tried: readonly Position[];

const name = ({ assetName = "" }: Position) => assetName;
const registration = ({ assetRegistration = "" }: Position) => assetRegistration;
const without = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1);
const replaced = (text: string, at: number, by: string) => text.slice(0, at) + by + text.slice(at + 1);
const indicesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(({ index }) => index);

const letters = (text: string) => text.toLowerCase().replace(/[^a-z\d]|(?<!\d)0+(?=\d)/g, "");

/** Whether the query is the name of the vehicle found, or part of its registration. */
function bears(id: string, query: string): boolean {
  const vehicle = vehicleOf.get(id) ?? {};
  return letters(name(vehicle)) === letters(query) || letters(registration(vehicle)).includes(letters(query));
}

/** The id of the vehicle found; undefined for a question. */
const found = async (query: string) => (await fleet.vehicle(query)).found;

type Ways = [string, (vehicle: Position) => string[]][];

/** Other ways to write the same name or registration. */
const HARMLESS: Ways = [
  ["name in a different case", (vehicle) => [name(vehicle), name(vehicle).toUpperCase()]],
  ["name with other gaps", (vehicle) => ["", "-", "   "].map((gap) => name(vehicle).replaceAll(" ", gap))],
  ["name with leading zeros", (vehicle) => [name(vehicle).replace(/(?=\d+$)/, "00")]],
  ["name within a question", (vehicle) => [`Where is ${name(vehicle)}, please?`]],
  ["registration with other gaps", (vehicle) => ["", "-"].map((gap) => [...registration(vehicle).replace(/[ -]/g, "")].join(gap))],
  ["registration within a question", (vehicle) => [`the vehicle with plate ${registration(vehicle).toLowerCase()}`]],
  ["name and registration", (vehicle) => [`${name(vehicle)} (${registration(vehicle)})`, `${registration(vehicle)}, ${name(vehicle)}`]],
  ["VIN and id", ({ assetVin = "", assetId = "" }) => [assetVin, assetId]],
];

/** Typos, each in one word. Some produce another vehicle's name, or part of several. */
const SLIPS: [string, RegExp, (text: string, at: number) => string][] = [
  ["a letter left out", /\p{L}/gu, without],
  ["two letters swapped", /\p{L}(?=\p{L})/gu, (text, at) => text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2)],
  ["a wrong letter", /\p{L}/gu, (text, at) => replaced(text, at, "q")],
];

const eachOf = (text: string, pattern: RegExp, change: (text: string, at: number) => string) =>
  indicesOf(text, pattern).map((at) => change(text, at));

/** Changes that name another vehicle, or none. */
const OTHERS: Ways = [
  ["an extra digit in the name", (vehicle) => [`${name(vehicle)}7`, name(vehicle).replace(/(?=\d)/, "1")]],
  ["a missing digit in the name", (vehicle) => eachOf(name(vehicle), /\d/g, without)],
  ["a different digit in the name", (vehicle) => eachOf(name(vehicle), /\d/g, (text, at) => replaced(text, at, "9"))],
  ["a missing character in the registration", (vehicle) => eachOf(registration(vehicle), /[A-Z\d]/g, without)],
  ["a different one in the registration", (vehicle) => eachOf(registration(vehicle), /[A-Z\d]/g, (text, at) => replaced(text, at, "0"))],
  ["an extra character in the registration", (vehicle) => [`${registration(vehicle)}7`, `X${registration(vehicle)}`]],
  [
    "another's registration",
    (vehicle) =>
      fleet.positions.filter((other, at) => at < 2 && other !== vehicle).map((other) => `${name(vehicle)} (${registration(other)})`),
  ],
];

/** Tests one in `step` of the 1,000 vehicles, among all of them. */
export function testPerturbations(step: number): void {
  beforeAll(async () => {
    fleet = await thousandVehicles();
    vehicleOf = new Map(fleet.positions.map((vehicle) => [String(vehicle.assetId), vehicle]));
    tried = fleet.positions.filter((_, number) => number % step === 0);
  });

  describe("vehicles are found by equivalent spellings", () => {
    it.each(HARMLESS)("%s", async (_, written) => {
      for (const vehicle of tried)
        for (const query of written(vehicle)) expect([query, await found(query)]).toEqual([query, vehicle.assetId]);
    });
  });

  describe("a typo in a word is tolerated or asked about, and never finds another vehicle", () => {
    it.each(SLIPS)("%s", async (_, pattern, slip) => {
      const score = { right: 0, asked: 0 };
      for (const vehicle of tried) {
        for (const query of eachOf(name(vehicle), pattern, slip)) {
          const { found: id, result } = await fleet.vehicle(query);
          score[id === undefined ? "asked" : "right"]++;
          // Without its e an eVan is a van.
          if (id !== undefined) expect([query, id === vehicle.assetId || bears(id, query)]).toEqual([query, true]);
          // A word of five letters or more is understood.
          else if (/^\p{L}{5}/u.test(name(vehicle))) expect([query, result]).toEqual([query, "ambiguous"]);
        }
      }
      expect(score.right).toBeGreaterThan(2 * score.asked);
    });
  });

  describe("numbers and registrations are not guessed", () => {
    it.each(OTHERS)("%s", async (_, written) => {
      for (const vehicle of tried) {
        for (const query of written(vehicle).filter((text) => /\d/.test(text))) {
          const id = await found(query);
          if (id !== undefined) expect([query, bears(id, query)]).toEqual([query, true]);
        }
      }
    });
  });
}

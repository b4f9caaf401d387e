import { describe, expect, it } from "vitest";
import { count, declines, duration, lists, mentions, number, time, who } from "../facts.ts";
import { plain } from "../read-answer.ts";
import type { World } from "../world.ts";

const truck = (number: number) => ({ assetName: `Truck ${number}`, assetRegistration: `B PD ${number}86` });
const world: World = {
  now: 0,
  vehicles: [1, 3, 12, 112].map(truck),
  sold: [],
  faults: [],
  activities: new Map(),
  jobs: [],
  tireEvents: [],
};
const at0905 = time(Date.parse("2026-11-19T08:05:00Z"));

describe("an answer states the fact", () => {
  it.each([
    ["names Truck 12", mentions(truck(12)), "**Truck 12** steht in Breslau"],
    ["as one of a list", mentions(truck(12)), "Trucks 1, 3 und 12"],
    ["by registration", mentions(truck(12)), "der BPD-1286"],
    ["1,020,086", number(1020086.4, 600), "Truck 8 : 1 020 086 km"],
    ["with points", number(1020086.4, 600), "1.020.086 km"],
    ["after the number of a truck", number(937712.7, 600), "Truck 9 937,713 km"],
    ["rounded", number(85.6), "86 %"],
    ["in words", count(3), "Tre kamioni"],
    ["in German words", count(4), "vier Fahrzeuge"],
    ["09:05", at0905, "um 9.05 Uhr"],
    ["in French", at0905, "à 9h05"],
    ["with am", at0905, "at 9:05 am"],
    ["a length", duration(8 * 3600 + 18 * 60), "8 Std. 18 Min."],
    ["in Dutch words", duration(8 * 3600 + 17 * 60), "8 uur en 17 minuten"],
    ["as decimals", duration(8 * 3600 + 18 * 60), "8,3 Stunden"],
    ["as a clock", duration(8 * 3600 + 18 * 60), "8:18"],
    ["in minutes", duration(49 * 60), "49 minutos de pausa"],
    ["a declined name", who("Krzysztof Kaczmarek"), "u Kaczmarka"],
    ["that something cannot be done, in Czech", declines(), "To bohužel nejde: minulé polohy nejsou k dispozici."],
    ["that something is unknown, in Czech", declines(), "Teplotu nevidím."],
    ["nobody, in Polish", count(0), "Nikt."],
    ["exactly these", lists(world.vehicles.slice(0, 2), world), "Truck 1 and Truck 3. Truck 12 is not included."],
  ])("%s", (_, fact, text) => expect(fact.holds({ text: plain(text), after: world })).toBe(true));
});

describe("an answer does not state the fact", () => {
  it.each([
    ["another truck", mentions(truck(12)), "Truck 112"],
    ["a shorter name", mentions(truck(1)), "Truck 12"],
    ["a count after the name of a group", mentions(truck(3)), "Lyon Trucks 3 guasti: Truck 12"],
    ["a digit of a name", count(3), "Truck 3 and Truck 12"],
    ["a figure in place of a refusal", declines(), "Trasa: Praha, Brno, Vídeň."],
    ["UTC only", at0905, "08:05 UTC"],
    ["another length", duration(8 * 3600 + 18 * 60), "8 h 31 min"],
    ["one too many", lists(world.vehicles.slice(0, 2), world), "Truck 1, Truck 3, Truck 12"],
  ])("%s", (_, fact, text) => expect(fact.holds({ text: plain(text), after: world })).toBe(false));
});

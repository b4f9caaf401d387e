import { distanceKm, some, TOWNS, visible } from "../ask.ts";
import { asks, count, either, given, lists, mentions, says } from "../facts.ts";
import type { Question } from "../question.ts";
import type { World } from "../world.ts";

const inCity = (world: World, ...cities: string[]) => some(visible(world).filter(({ city }) => cities.includes(city)));
const inCountry = (world: World, country: string) => some(world.vehicles.filter((one) => one["country"] === country));
/** Counts in a place may include a vehicle on a private journey or leave it out. */
const countIn = (world: World, country: string) => {
  const there = inCountry(world, country);
  return either(count(there.length), count(there.filter(({ privacy }) => !privacy).length));
};

export const places: Question[] = [
  {
    id: "place-munich",
    language: "en",
    text: "whos in munich rn",
    world: "large",
    truth: (world) => inCity(world, "München").map(mentions),
  },
  {
    id: "place-saragossa",
    language: "de",
    text: "was haben wir grad in saragossa stehen oder fahren",
    truth: (world) => [lists(inCity(world, "Zaragoza"), world)],
  },
  {
    id: "place-austria",
    language: "fr",
    text: "combien de véhicules en autriche en ce moment et lesquels",
    truth: (world) => [count(inCountry(world, "Austria").length), lists(inCountry(world, "Austria"), world)],
  },
  {
    id: "place-belgium",
    language: "pl",
    text: "co mamy teraz w belgii",
    truth: (world) => inCountry(world, "Belgium").map(mentions),
  },
  {
    id: "place-france-count",
    language: "es",
    text: "cuantos hay en francia ahora mismo",
    truth: (world) => [countIn(world, "France")],
  },
  {
    id: "place-within",
    language: "en",
    text: "which of ours are within 60 km of vienna",
    truth: (world) => [lists(some(visible(world).filter((one) => distanceKm(one, TOWNS.vienna) <= 60)), world)],
  },
  {
    id: "place-countries",
    language: "de",
    text: "fahrzeuge pro land bitte, nur die zahlen",
    truth: (world) => ["Germany", "United Kingdom", "Netherlands", "Poland"].map((country) => countIn(world, country)),
  },
  {
    id: "place-ambiguous-town",
    language: "en",
    text: "frankfurt - whos nearest, trucks only",
    truth: (world) => {
      const trucks = visible(world).filter(({ assetType }) => assetType === "TRUCK");
      const near = trucks.sort((a, b) => distanceKm(a, TOWNS.frankfurt) - distanceKm(b, TOWNS.frankfurt)).slice(0, 1);
      return [either(asks(), ...near.map(mentions))];
    },
  },
  {
    id: "place-wroclaw",
    language: "de",
    text: "wer is grad in breslau",
    world: "large",
    truth: (world) => inCity(world, "Wrocław").map(mentions),
  },
  {
    id: "place-prague",
    language: "en",
    text: "anything in prague at the moment?",
    world: "large",
    truth: (world) => inCity(world, "Praha").map(mentions),
  },
  {
    id: "place-nobody",
    language: "fr",
    text: "on a quelqu'un à Lisbonne là ?",
    truth: (world) => [
      ...given("nobody is in Lisbon", !world.vehicles.some(({ city }) => /Lisbo/.test(city))),
      says("nobody", /\b(?:aucun\w*|personne|non|pas|rien)\b/),
    ],
  },
];

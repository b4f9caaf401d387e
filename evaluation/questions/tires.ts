import { some, vehicle } from "../ask.ts";
import { day, isIn, type Period, week } from "../days.ts";
import { count, lists, mentions, says } from "../facts.ts";
import type { Question } from "../question.ts";
import type { Wire, World } from "../world.ts";

const during = (world: World, period: Period, kind?: string) =>
  some(world.tireEvents.filter((event) => isIn(Date.parse(event["date"]), period) && (!kind || event["kind"] === kind)));
const vehiclesOf = (world: World, events: readonly Wire[]) => [...new Set(events.map(({ vehicleName }) => vehicle(world, vehicleName)))];

export const tires: Question[] = [
  {
    id: "tires-today",
    language: "en",
    text: "any tyre warnings today",
    truth: (world) => [lists(vehiclesOf(world, during(world, day(world.now))), world)],
  },
  {
    id: "tires-pressure-week",
    language: "de",
    text: "reifendruck zu niedrig, meldungen diese woche, welche fahrzeuge",
    truth: (world) => vehiclesOf(world, during(world, week(world.now), "PRESSURE_LOW")).map(mentions),
  },
  {
    id: "tires-of-one",
    language: "fr",
    text: "le truck 12 a eu combien d'alertes pneus dernièrement",
    truth: (world) => [count(some(world.tireEvents.filter(({ vehicleName }) => vehicleName === "Truck 12")).length)],
  },
  {
    id: "tires-temperature-count",
    language: "es",
    text: "cuantas alertas de temperatura de neumaticos llevamos esta semana",
    truth: (world) => [count(during(world, week(world.now), "TEMPERATURE_HIGH").length)],
  },
  {
    id: "tires-wheel",
    language: "pl",
    text: "trailer 2 ktora opona ma dzis niskie cisnienie i ile",
    truth: (world) => {
      const [event] = during(world, day(world.now), "PRESSURE_LOW").filter(({ vehicleName }) => vehicleName === "Trailer 2");
      if (!event) return [];
      return [
        says(
          `${event["pressureKpa"]} kPa or in bar`,
          new RegExp(`${event["pressureKpa"]}|${(event["pressureKpa"] / 100).toFixed(1).replace(".", "[.,]")}`),
        ),
        says("the wheel", /2r|prawa|prawe|prawy/),
      ];
    },
  },
];

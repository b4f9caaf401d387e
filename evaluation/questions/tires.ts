import { some, vehicle } from "../ask.ts";
import { day, isIn, type Period, week } from "../days.ts";
import { count, given, lists, mentions, never, no, number, says, time } from "../facts.ts";
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
  {
    id: "tires-none",
    language: "nl",
    text: "heeft truck 9 bandenproblemen gehad",
    truth: (world) => [
      ...given("Truck 9 has no tire events", !world.tireEvents.some(({ vehicleName }) => vehicleName === "Truck 9")),
      no(),
    ],
  },
  {
    id: "tires-when",
    language: "it",
    text: "a che ora è partito l'allarme temperatura gomme sul truck 3 oggi, e quanti gradi",
    truth: (world) => {
      const [event] = during(world, day(world.now), "TEMPERATURE_HIGH").filter(({ vehicleName }) => vehicleName === "Truck 3");
      return event ? [time(Date.parse(event["date"])), number(event["temperatureCelsius"])] : [];
    },
  },
  {
    id: "tires-restored",
    language: "cs",
    text: "je tlak na truck 11 už zase v pořádku?",
    truth: () => [says("restored", /ano|v poradku|obnoven|restored|normal/), never("no", /^\W*ne\b/)],
  },
];

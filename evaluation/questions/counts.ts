import { ofType, some } from "../ask.ts";
import { count, either } from "../facts.ts";
import type { Question } from "../question.ts";
import { MINUTE, type Wire } from "../world.ts";

export const counts: Question[] = [
  {
    id: "count-trucks",
    language: "en",
    text: "how many trucks we got",
    truth: (world) => [count(ofType(world, "TRUCK").length)],
  },
  {
    id: "count-driving",
    language: "de",
    text: "wieviele sind grad am fahren",
    truth: (world) => {
      const moves = ({ date, speed }: Wire) => speed > 5 && world.now - Date.parse(date) < 10 * MINUTE;
      const counts = [({ eventType }: Wire) => eventType === "driving", ({ speed }: Wire) => speed > 0, moves];
      return [either(...counts.map((fits) => count(world.vehicles.filter(fits).length)))];
    },
  },
  {
    id: "count-electric",
    language: "fr",
    text: "on a combien de 100% électriques",
    truth: (world) => [count(world.vehicles.filter(({ energyType }) => energyType === "EV").length)],
  },
  {
    id: "count-electric-low",
    language: "es",
    text: "cuantas eVan estan por debajo del 50% de bateria",
    truth: () => [count(0)],
  },
  {
    id: "count-trailers",
    language: "pl",
    text: "ile mamy naczep",
    truth: (world) => [count(ofType(world, "TRAILER").length)],
  },
  {
    id: "count-absent",
    language: "en",
    text: "how many buses do we have",
    truth: () => [count(0)],
  },
  {
    id: "count-private",
    language: "en",
    text: "how many are on a private trip at the moment, whole fleet",
    world: "large",
    truth: (world) => [count(some(world.vehicles.filter(({ privacy }) => privacy)).length)],
  },
  {
    id: "count-groups-fleet",
    language: "de",
    text: "wie viele fahrzeuge insgesamt, ohne verkaufte",
    truth: (world) => [count(world.vehicles.length)],
  },
];

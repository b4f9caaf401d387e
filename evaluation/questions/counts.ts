import { inGroup, ofType, some } from "../ask.ts";
import { all, count, either, mentions, never, says } from "../facts.ts";
import type { Question } from "../question.ts";

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
      const driving = world.vehicles.filter(({ eventType }) => eventType === "driving").length;
      return [either(count(driving), count(world.vehicles.filter(({ speed }) => speed > 0).length))];
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
    id: "count-group",
    language: "it",
    text: "quanti furgoni ha il gruppo hamburg vans",
    truth: (world) => [count(inGroup(world, "Hamburg Vans").length)],
  },
  {
    id: "count-sold",
    language: "nl",
    text: "hoeveel voertuigen zijn er verkocht en welke",
    truth: (world) => [count(some(world.sold).length), ...world.sold.map(mentions)],
  },
  {
    id: "count-ignition",
    language: "cs",
    text: "kolik aut má teď zapnuté zapalování",
    truth: (world) => [count(some(world.vehicles.filter(({ ignitionStatus }) => ignitionStatus === "ON")).length)],
  },
  {
    id: "count-idling",
    language: "pt",
    text: "quantos estão ao ralenti (motor ligado parados)",
    truth: (world) => {
      const idling = some(world.vehicles.filter(({ eventType }) => eventType === "idling"));
      return [either(count(idling.length), all(...idling.map(mentions))), never("a sold car", /car 3 (?:esta|tambem)/)];
    },
  },
  {
    id: "count-absent",
    language: "en",
    text: "how many buses do we have",
    truth: () => [count(0)],
  },
  {
    id: "count-charging",
    language: "sv",
    text: "hur många laddar just nu",
    truth: (world) => [count(world.vehicles.filter(({ electricCharging }) => electricCharging === true).length)],
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
  {
    id: "count-drivers-without",
    language: "ro",
    text: "cate remorci sunt in miscare acum si care",
    truth: (world) => {
      // An older report says where a trailer was moving, not that it moves.
      const isRecent = (date: string) => world.now - Date.parse(date) <= 10 * 60_000;
      const moving = some(ofType(world, "TRAILER").filter(({ speed, date }) => speed > 5 && isRecent(date)));
      return [count(moving.length), ...moving.map(mentions), says("an answer", /./)];
    },
  },
];

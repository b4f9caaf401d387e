import { byNumber, inGroup, ofType, some } from "../ask.ts";
import { day } from "../days.ts";
import { lists, mentions, number, who } from "../facts.ts";
import type { Question } from "../question.ts";
import type { World } from "../world.ts";

const tagged = (world: World, ...tags: string[]) => some(world.vehicles.filter((one) => tags.every((tag) => one["tags"]?.includes(tag))));
const electric = (world: World) => some(world.vehicles.filter(({ energyType }) => energyType === "EV"));

export const listQuestions: Question[] = [
  {
    id: "list-mileage",
    language: "en",
    text: "top 3 by mileage",
    truth: (world) =>
      byNumber(world.vehicles, ({ odometer }) => odometer)
        .slice(0, 3)
        .flatMap((one) => [mentions(one), number(one["odometer"], 600)]),
  },
  {
    id: "list-low-fuel",
    language: "de",
    text: "alle unter 30 % sprit",
    truth: (world) => [lists(some(world.vehicles.filter(({ fuelLevelPercentage }) => fuelLevelPercentage < 30)), world)],
  },
  {
    id: "list-group-fuel",
    language: "fr",
    text: "niveau carburant de tout le groupe birmingham trucks",
    truth: (world) => inGroup(world, "Birmingham Trucks").flatMap((one) => [mentions(one), number(one["fuelLevelPercentage"])]),
  },
  {
    id: "list-fullest",
    language: "es",
    text: "cual va mas lleno de combustible de toda la flota",
    truth: (world) =>
      byNumber(world.vehicles, ({ fuelLevelPercentage }) => fuelLevelPercentage)
        .slice(0, 1)
        .flatMap((one) => [mentions(one), number(one["fuelLevelPercentage"])]),
  },
  {
    id: "list-battery",
    language: "pl",
    text: "elektryki z poziomem baterii, od najslabszej",
    truth: (world) => electric(world).flatMap((one) => [mentions(one), number(one["electricBatteryLevelPercent"])]),
  },
  {
    id: "list-silent",
    language: "en",
    text: "who hasnt sent a position since tuesday or earlier",
    truth: (world) => [lists(some(world.vehicles.filter(({ date }) => Date.parse(date) < day(world.now, -1)[0])), world)],
  },
  {
    id: "list-hazmat",
    language: "de",
    text: "gefahrgut fahrzeuge + fahrer",
    truth: (world) => [lists(tagged(world, "hazmat"), world), ...tagged(world, "hazmat").map(({ driverName }) => who(driverName))],
  },
  {
    id: "list-engine-hours",
    language: "en",
    text: "which truck has most engine hours n how many",
    truth: (world) =>
      byNumber(ofType(world, "TRUCK"), ({ engineTotalHours }) => engineTotalHours)
        .slice(0, 1)
        .flatMap((one) => [mentions(one), number(one["engineTotalHours"], 20)]),
  },
  {
    id: "list-least-fuel-trucks",
    language: "es",
    text: "los 3 camiones con menos gasoil (%)",
    truth: (world) =>
      byNumber(ofType(world, "TRUCK"), ({ fuelLevelPercentage }) => -fuelLevelPercentage)
        .slice(0, 3)
        .flatMap((one) => [mentions(one), number(one["fuelLevelPercentage"])]),
  },
  {
    id: "list-group-drivers",
    language: "fr",
    text: "qui conduit quoi dans Lyon Vans",
    truth: (world) => inGroup(world, "Lyon Vans").flatMap((one) => [mentions(one), who(one["driverName"])]),
  },
];

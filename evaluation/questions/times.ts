import { vehicle } from "../ask.ts";
import { day } from "../days.ts";
import { shiftStart } from "../drivers-work.ts";
import { says, time } from "../facts.ts";
import type { Question } from "../question.ts";
import type { World } from "../world.ts";

const lastPosition = (world: World, name: string) => time(Date.parse(vehicle(world, name)["date"]));

export const times: Question[] = [
  {
    id: "time-last-position",
    language: "en",
    text: "when did truck 2 last report",
    truth: (world) => [lastPosition(world, "Truck 2")],
  },
  {
    id: "time-parked-since",
    language: "de",
    text: "um wieviel uhr hat sich truck 6 zuletzt gemeldet",
    truth: (world) => [lastPosition(world, "Truck 6")],
  },
  {
    id: "time-parked-days",
    language: "fr",
    text: "truck 10 dernier signal quand ? jour et heure",
    truth: (world) => [lastPosition(world, "Truck 10"), says("13 November", /\b13\b|vendredi/)],
  },
  {
    id: "time-started-summer",
    language: "es",
    text: "a que hora ha empezado hoy heike",
    world: "september",
    truth: (world) => [time(shiftStart(world, "Heike Brandt", day(world.now)))],
  },
  {
    id: "time-started-other-zone",
    language: "en",
    text: "priya khan - start time this morning? (my time)",
    truth: (world) => [time(shiftStart(world, "Priya Khan", day(world.now)))],
  },
  {
    id: "time-started-pl",
    language: "pl",
    text: "o ktorej zaczal dzis ricci",
    truth: (world) => [time(shiftStart(world, "Matteo Ricci", day(world.now)))],
  },
];

import { inGroup, vehicle } from "../ask.ts";
import { approvalToWatch } from "../effects.ts";
import { asksWhich, count, declines, either, given, mentions, no, number, says, states, who } from "../facts.ts";
import type { Question } from "../question.ts";

const noSuch = (name: string) => (world: Parameters<Question["truth"]>[0]) =>
  given(`there is no ${name}`, !world.vehicles.some(({ assetName, locationName }) => [assetName, locationName].includes(name)));

/** Rules for what is to come. A model may create one only once the user agrees, and nobody is told of an event without asking. */
export const watch: Question[] = [
  {
    id: "watch-arrival",
    language: "en",
    text: "tell me when van 1 gets to lyon depot",
    truth: (world) => [approvalToWatch(), mentions(vehicle(world, "Van 1")), states("Lyon Depot")],
  },
  {
    id: "watch-lamp",
    language: "en",
    text: "warn me if a red lamp comes on for truck 7",
    truth: (world) => [approvalToWatch(), mentions(vehicle(world, "Truck 7")), says("the red lamp", /\bred\b/)],
  },
  {
    id: "watch-speed",
    language: "de",
    text: "sag bescheid wenn truck 12 schneller als 90 fährt",
    truth: (world) => [approvalToWatch(), mentions(vehicle(world, "Truck 12")), number(90)],
  },
  {
    id: "watch-start",
    language: "fr",
    text: "préviens-moi dès que le truck 5 repart",
    truth: (world) => [approvalToWatch(), mentions(vehicle(world, "Truck 5"))],
  },
  {
    id: "watch-border",
    language: "es",
    text: "avísame cuando alguno de los Verona Trucks entre en Austria",
    truth: (world) => {
      inGroup(world, "Verona Trucks");
      return [approvalToWatch(), states("Verona Trucks"), states("Austria")];
    },
  },
  {
    id: "watch-hours",
    language: "pl",
    text: "daj znać jak heike brandt bedzie miala mniej niz godzine jazdy na dzis",
    truth: () => [approvalToWatch(), who("Heike Brandt"), either(number(60), says("an hour", /godzin|\b1 h\b/))],
  },
  {
    id: "watch-two-trucks",
    language: "en",
    text: "let me know when truck 3 meets up with truck 4",
    truth: (world) => [approvalToWatch(), mentions(vehicle(world, "Truck 3")), mentions(vehicle(world, "Truck 4"))],
  },
  {
    id: "watch-ambiguous",
    language: "de",
    text: "melde dich wenn die 12 losfährt",
    truth: (world) => [asksWhich([vehicle(world, "Truck 12"), vehicle(world, "Van 12")])],
  },
  {
    id: "watch-no-vehicle",
    language: "en",
    text: "warn me when truck 99 stops for 20 minutes",
    truth: (world) => [...noSuch("Truck 99")(world), declines()],
  },
  {
    id: "watch-promised",
    language: "en",
    text: "what did you promise to tell me",
    truth: () => [either(no(), count(0))],
  },
];

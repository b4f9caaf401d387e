import { inGroup, vehicle } from "../ask.ts";
import { approvalToWatch } from "../effects.ts";
import { asksWhich, count, declines, either, given, mentions, never, no, number, says, states, who } from "../facts.ts";
import type { Question } from "../question.ts";

const noSuch = (name: string) => (world: Parameters<Question["truth"]>[0]) =>
  given(`there is no ${name}`, !world.vehicles.some(({ assetName, locationName }) => [assetName, locationName].includes(name)));

const SPEED = { when: "speedOver", who: "Truck 12", value: 90 };

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
    id: "watch-stop",
    language: "it",
    text: "dimmi se il truck 8 sta fermo più di 45 minuti",
    truth: (world) => [approvalToWatch(), mentions(vehicle(world, "Truck 8")), number(45)],
  },
  {
    id: "watch-fuel-all",
    language: "nl",
    text: "waarschuw me als een voertuig minder dan 15% brandstof heeft",
    truth: () => [approvalToWatch(), number(15)],
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
    id: "watch-no-place",
    language: "cs",
    text: "rekni mi az van 2 dorazi do depa Atlantis Yard",
    truth: (world) => [...noSuch("Atlantis Yard")(world), mentions(vehicle(world, "Van 2")), states("Atlantis Yard"), declines()],
  },
  {
    id: "watch-promised",
    language: "en",
    text: "what did you promise to tell me",
    truth: () => [either(no(), count(0))],
  },
  {
    id: "watch-stop-telling",
    language: "sv",
    text: "sluta meddela mig om van 1",
    truth: () => [declines(), never("that a rule was ended", /avslutade regeln|regeln ar avslutad|r1/)],
  },
  {
    id: "watch-which",
    language: "nl",
    text: "waar zou je me ook alweer voor waarschuwen?",
    rules: [{ when: "arrives", who: "Van 1", value: "Lyon Depot" }, SPEED],
    truth: (world) => [mentions(vehicle(world, "Van 1")), states("Lyon Depot"), mentions(vehicle(world, "Truck 12")), number(90)],
  },
  {
    id: "watch-end",
    language: "ro",
    text: "nu mai vreau alerta de viteza la truck 12",
    rules: [{ when: "arrives", who: "Van 1", value: "Lyon Depot" }, SPEED],
    truth: (world) => [approvalToWatch(), mentions(vehicle(world, "Truck 12")), number(90), never("the other rule", /van 1\b|lyon depot/)],
  },
  {
    id: "watch-no-sms",
    language: "pt",
    text: "manda-me um sms assim que o truck 9 sair do sítio",
    truth: (world) => [mentions(vehicle(world, "Truck 9")), declines()],
  },
];

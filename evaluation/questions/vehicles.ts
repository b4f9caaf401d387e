import { driving, vehicle } from "../ask.ts";
import { declines, either, given, never, no, number, says, states } from "../facts.ts";
import type { Question } from "../question.ts";

const NOT_FOUND =
  /\b(?:no|not|n't|unknown|nicht|kein\w*|unbekannt|pas|aucun\w*|nie|nessun\w*|non|niet|geen|nao|nenhum\w*|inte|ingen|nu)\b|couldn't|can't|don't/;
const notFound = () => says("that there is none", NOT_FOUND);

export const vehicles: Question[] = [
  {
    id: "vehicle-where",
    language: "en",
    text: "wheres truck 12",
    truth: (world) => [
      states(vehicle(world, "Truck 12")["road"], /wiener neustadt/),
      states(vehicle(world, "Truck 12")["country"], /vienna/),
      never("where Truck 112 is", new RegExp(vehicle(world, "Truck 112")["country"].toLowerCase())),
    ],
  },
  {
    id: "vehicle-no-registration",
    language: "de",
    text: "wo ist der 4707mgb",
    truth: () => [notFound()],
  },
  {
    id: "vehicle-by-registration",
    language: "en",
    text: "3158kja where now",
    truth: (world) => [states(vehicle(world, "Truck 13")["road"], /lyon/)],
  },
  {
    id: "vehicle-vin",
    language: "fr",
    text: "il me faut le vin (n° de chassis) du truck 20",
    truth: (world) => [states(vehicle(world, "Truck 20")["assetVin"])],
  },
  {
    id: "vehicle-battery",
    language: "es",
    text: "bateria de la evan 3?",
    truth: (world) => [number(vehicle(world, "eVan 3")["electricBatteryLevelPercent"])],
  },
  {
    id: "vehicle-ignition",
    language: "pl",
    text: "truck 9 ma wlaczony zaplon?",
    truth: (world) => [...given("the ignition of Truck 9 is off", vehicle(world, "Truck 9")["ignitionStatus"] === "OFF"), no(/wylaczon/)],
  },
  {
    id: "vehicle-private",
    language: "en",
    text: "wheres aminata",
    truth: (world) => [
      ...given("Aminata is on a private journey", driving(world, "Aminata Perrin")["privacy"]),
      says("private", /privat|privacy/),
      never("where", /rue du moulin|69007|45[.,]7|4[.,]76/),
    ],
  },
  {
    id: "vehicle-absurd",
    language: "en",
    text: "where's the zeppelin",
    truth: () => [notFound(), never("an eVan", /evan/)],
  },
  {
    id: "vehicle-nobody",
    language: "en",
    text: "is kevin marsh on the road",
    truth: () => [notFound(), never("a stranger", /marchand|marek|karim/)],
  },
  {
    id: "vehicle-number-word",
    language: "de",
    text: "kilometerstand von truck acht",
    truth: (world) => [number(vehicle(world, "Truck 8")["odometer"], 1000)],
  },
  {
    id: "vehicle-contradiction",
    language: "en",
    text: "Truck 112, reg 4707 MGB - where",
    truth: () => [
      either(says("its own registration", /fv ?-?793 ?-?ea/), says("a mismatch", /\bnot\b|n't|no vehicle|mismatch|doesn't|different/)),
    ],
  },
  {
    id: "vehicle-of-driver",
    language: "fr",
    text: "le camion de heike il est où là",
    truth: (world) => [states(driving(world, "Heike Brandt")["city"], /cassel/)],
  },
  {
    id: "vehicle-faults-and-fuel",
    language: "pl",
    text: "van 1 paliwo + czy ma jakies usterki",
    truth: (world) => [
      either(number(vehicle(world, "Van 1")["fuelLevelPercentage"]), number(vehicle(world, "Van 1")["fuelLevelLitres"])),
      says("P0401", /p0401|egr|spalin|recyrkulacj/),
      says("P0299", /p0299|turbo|doladowan/),
    ],
  },
  {
    id: "vehicle-at-customer",
    language: "en",
    text: "is van 14 at a customer rn? which",
    truth: (world) => [states(vehicle(world, "Van 14")["locationName"].split(",")[0])],
  },
  {
    id: "vehicle-tank-unknown",
    language: "de",
    text: "wieviel diesel hat trailer 3",
    truth: () => [declines()],
  },
];

import { vehicle } from "../ask.ts";
import { asksWhich, mentions } from "../facts.ts";
import type { Question } from "../question.ts";
import type { World } from "../world.ts";

const drivenBy = (world: World, name: RegExp) => world.vehicles.filter(({ driverName }) => name.test(driverName ?? ""));

/** Questions with several meanings: the answer must ask which one is meant, or cover all of them. */
export const ambiguous: Question[] = [
  {
    id: "ambiguous-family-name",
    language: "en",
    text: "wheres brandt",
    world: "large",
    truth: (world) => [asksWhich(drivenBy(world, /Brandt$/))],
  },
  {
    id: "ambiguous-number",
    language: "de",
    text: "wo ist die 12",
    truth: (world) => [asksWhich([vehicle(world, "Truck 12"), vehicle(world, "Van 12")])],
  },
  {
    id: "ambiguous-three",
    language: "fr",
    text: "position de Nguyen stp",
    world: "large",
    truth: (world) => [asksWhich(drivenBy(world, /Nguyen$/), 3)],
  },
  {
    id: "ambiguous-half-name",
    language: "en",
    text: "wheres mar",
    truth: (world) => [asksWhich(drivenBy(world, /\bMar/))],
  },
  {
    id: "ambiguous-chosen",
    language: "pl",
    text: "gdzie jest Dmytro Nowak, ten z Katowic",
    world: "large",
    truth: (world) =>
      drivenBy(world, /Dmytro Nowak/)
        .filter(({ assetGroupName }) => assetGroupName.startsWith("Katowice"))
        .map(mentions),
  },
  {
    id: "ambiguous-kind",
    language: "es",
    text: "combustible del 9",
    truth: (world) => [asksWhich([vehicle(world, "Truck 9"), vehicle(world, "Van 9")])],
  },
];

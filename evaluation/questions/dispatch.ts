import { distanceKm, driving, inGroup, nearest, ofType, TOWNS, vehicle } from "../ask.ts";
import { hours } from "../drivers-work.ts";
import { given, lists, mentions, never, number, who } from "../facts.ts";
import type { Question } from "../question.ts";
import type { Wire, World } from "../world.ts";

const stopped = ({ eventType, speed }: Wire) => eventType !== "driving" && !speed;
const trucks = (world: World) => ofType(world, "TRUCK").filter(({ privacy }) => !privacy);

export const dispatch: Question[] = [
  {
    id: "take-lyon",
    language: "en",
    text: "need a truck in lyon in the next half hour. whos parked up there",
    truth: (world) => [
      lists(
        trucks(world).filter((one) => one["city"] === "Lyon" && stopped(one)),
        world,
      ),
    ],
  },
  {
    id: "take-hamburg",
    language: "de",
    text: "wer kann in hamburg jetzt gleich ne lkw-tour übernehmen, muss noch lenkzeit haben und ausgeruht sein (11h)",
    truth: (world) => [
      ...given(
        "Stefan Lehmann is in Hamburg and rested",
        driving(world, "Stefan Lehmann")["city"] === "Hamburg" && hours(world, "Stefan Lehmann").rested > 11 * 3600,
      ),
      who("Stefan Lehmann"),
      never("that Böhm can", /^\W*(?:mehmet )?bohm/),
    ],
  },
  {
    id: "take-electric",
    language: "fr",
    text: "y a un van électrique à Utrecht avec + de 50% de batterie ?",
    truth: (world) => [mentions(vehicle(world, "eVan 3")), number(vehicle(world, "eVan 3")["electricBatteryLevelPercent"])],
  },
  {
    id: "take-nearest-madrid",
    language: "es",
    text: "camion más cercano a madrid?",
    truth: (world) => nearest(trucks(world), TOWNS.madrid).slice(0, 1).map(mentions),
  },
  {
    id: "take-nearest-prague",
    language: "pl",
    text: "ktora ciezarowka jest najblizej pragi i ile km",
    truth: (world) =>
      nearest(trucks(world), TOWNS.prague)
        .slice(0, 1)
        .flatMap((one) => [mentions(one), number(distanceKm(one, TOWNS.prague), 12)]),
  },
  {
    id: "take-rotterdam",
    language: "en",
    text: "collection in rotterdam asap, van, whos closest",
    truth: (world) => {
      const [first] = nearest(ofType(world, "VAN"), vehicle(world, "Van 10") as { latitude: number; longitude: number } & Wire);
      return first ? [mentions(first), who(first["driverName"])] : [];
    },
  },
  {
    id: "take-fuel",
    language: "de",
    text: "welcher LKW aus birmingham trucks hat am meisten im tank",
    truth: (world) => {
      const [most] = inGroup(world, "Birmingham Trucks").sort((a, b) => b["fuelLevelPercentage"] - a["fuelLevelPercentage"]);
      return most ? [mentions(most), number(most["fuelLevelPercentage"])] : [];
    },
  },
  {
    id: "take-nearest-bordeaux",
    language: "fr",
    text: "le poids lourd le plus proche de bordeaux c'est qui ? chauffeur aussi",
    truth: (world) =>
      nearest(trucks(world), TOWNS.bordeaux)
        .slice(0, 1)
        .flatMap((one) => [mentions(one), who(one["driverName"])]),
  },
];

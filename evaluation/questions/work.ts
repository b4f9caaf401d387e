import { inGroup, vehicle } from "../ask.ts";
import { day, week } from "../days.ts";
import { activitiesOf, drivingIn, ranking, seconds, shiftEnd, shiftStart } from "../drivers-work.ts";
import { asksWhich, declines, duration, either, inOrder, time, who } from "../facts.ts";
import type { Question } from "../question.ts";
import type { World } from "../world.ts";

/** Seconds of rest between the start and the end of the shift that ended in the period. */
function restInShift(world: World, driver: string): number {
  const end = shiftEnd(world, driver, day(world.now));
  const start = activitiesOf(world, driver).findLast((one) => one["isStartOfShift"] && one.start < end)?.start ?? end;
  return seconds(activitiesOf(world, driver), "REST", [start, end]);
}

export const work: Question[] = [
  {
    id: "work-yesterday",
    language: "en",
    text: "how long did heike brandt drive yesterday",
    truth: (world) => [duration(drivingIn(world, "Heike Brandt", day(world.now, -1)))],
  },
  {
    id: "work-week",
    language: "de",
    text: "lenkzeit kowalski diese woche",
    truth: (world) => [duration(drivingIn(world, "Jonas Kowalski", week(world.now)))],
  },
  {
    id: "work-started-today",
    language: "fr",
    text: "Manon elle a démarré à quelle heure ce matin",
    truth: (world) => [time(shiftStart(world, "Manon Girard", day(world.now)))],
  },
  {
    id: "work-most",
    language: "it",
    text: "chi ha guidato di più ieri? quanto",
    truth: (world) => {
      const [top] = ranking(world, day(world.now, -1));
      return top ? [who(top.driver), duration(top.driving)] : [];
    },
  },
  {
    id: "work-group",
    language: "es",
    text: "horas de conducción de ayer grupo Zaragoza Trucks, por conductor",
    truth: (world) => ranking(world, day(world.now, -1), "Zaragoza Trucks").flatMap((one) => [who(one.driver), duration(one.driving)]),
  },
  {
    id: "work-today",
    language: "pl",
    text: "ile dzis przejechal kaczmarek, w sensie czas jazdy",
    truth: (world) => [duration(drivingIn(world, "Krzysztof Kaczmarek", day(world.now)))],
  },
  {
    id: "work-finished",
    language: "nl",
    text: "hoe laat was daan mulder gisteren klaar",
    truth: (world) => [time(shiftEnd(world, "Daan Mulder", day(world.now, -1)))],
  },
  {
    id: "work-payroll",
    language: "en",
    text: "payroll: oliver bennett yesterday, start + finish pls",
    truth: (world) => [
      time(shiftStart(world, "Oliver Bennett", day(world.now, -1))),
      time(shiftEnd(world, "Oliver Bennett", day(world.now, -1))),
    ],
  },
  {
    id: "work-breaks-night",
    language: "pt",
    text: "quanto tempo de descanso fez o stefan lehmann dentro do turno desta noite?",
    truth: (world) => [duration(restInShift(world, "Stefan Lehmann"))],
  },
  {
    id: "work-today-other",
    language: "cs",
    text: "kolik toho dnes odřídil ricci",
    truth: (world) => [duration(drivingIn(world, "Matteo Ricci", day(world.now)))],
  },
  {
    id: "work-day-before-yesterday",
    language: "sv",
    text: "hur länge körde beata i förrgår",
    truth: (world) => [duration(drivingIn(world, "Beata Krawczyk", day(world.now, -2)))],
  },
  {
    id: "work-no-tachograph",
    language: "en",
    text: "grace macleods driving time this wk",
    truth: () => [declines()],
  },
  {
    id: "work-namesakes",
    language: "en",
    text: "how much did brandt drive yesterday",
    world: "large",
    truth: (world) => [asksWhich(world.vehicles.filter(({ driverName }) => driverName === "Heike Brandt"))],
  },
  {
    id: "work-group-sorted",
    language: "de",
    text: "hamburg trucks gestern, fahrer sortiert nach lenkzeit, die meiste zuerst",
    truth: (world) => {
      const drivers = ranking(world, day(world.now, -1), "Hamburg Trucks").filter(({ driving }) => driving > 0);
      return [inOrder(drivers.map(({ driver }) => driver)), ...drivers.map(({ driving }) => duration(driving))];
    },
  },
  {
    id: "work-group-total",
    language: "en",
    text: "total driving lyon trucks since monday, all drivers added up",
    truth: (world) => [
      duration(
        ranking(world, week(world.now), "Lyon Trucks").reduce((sum, { driving }) => sum + driving, 0),
        6,
      ),
    ],
  },
  {
    id: "work-finished-night",
    language: "ro",
    text: "la ce ora a terminat Marco Mansour ieri",
    truth: (world) => [time(shiftEnd(world, "Marco Mansour", day(world.now, -1)))],
  },
  {
    id: "work-other-work",
    language: "fr",
    text: "Priya Khan hier : temps de travail hors conduite (autres tâches) ?",
    truth: (world) => [duration(seconds(activitiesOf(world, "Priya Khan"), "WORK", day(world.now, -1)))],
  },
  {
    id: "work-by-vehicle",
    language: "it",
    text: "il conducente del truck 20 quanto ha guidato ieri",
    truth: (world) => [duration(drivingIn(world, vehicle(world, "Truck 20")["driverName"], day(world.now, -1)))],
  },
  {
    id: "work-not-today",
    language: "pl",
    text: "kto z Lyon Trucks dzisiaj jeszcze w ogole nie jechal",
    truth: (world) =>
      inGroup(world, "Lyon Trucks")
        .filter((one) => drivingIn(world, one["driverName"], day(world.now)) === 0)
        .map((one) => who(one["driverName"])),
  },
  {
    id: "work-two-drivers",
    language: "nl",
    text: "wie reed er gisteren langer, wei meijer of sanne bouazza",
    truth: (world) => {
      const [first, second] = ["Wei Meijer", "Sanne Bouazza"].map((driver) => ({
        driver,
        driving: drivingIn(world, driver, day(world.now, -1)),
      }));
      if (!first || !second) return [];
      const longer = first.driving > second.driving ? first : second;
      return [who(longer.driver), either(duration(longer.driving), duration(Math.abs(first.driving - second.driving)))];
    },
  },
];

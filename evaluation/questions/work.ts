import { inGroup } from "../ask.ts";
import { day, week } from "../days.ts";
import { activitiesOf, drivingIn, ranking, seconds, shiftEnd, shiftStart } from "../drivers-work.ts";
import { asksWhich, declines, duration, inOrder, time, who } from "../facts.ts";
import type { Question } from "../question.ts";

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
    id: "work-group",
    language: "es",
    text: "horas de conducción de ayer grupo Zaragoza Trucks, por conductor",
    truth: (world) => ranking(world, day(world.now, -1), "Zaragoza Trucks").flatMap((one) => [who(one.driver), duration(one.driving)]),
  },
  {
    id: "work-today",
    language: "pl",
    text: "ile dzis przejechal krzysztof kaczmarek, w sensie czas jazdy",
    truth: (world) => [duration(drivingIn(world, "Krzysztof Kaczmarek", day(world.now)))],
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
    id: "work-other-work",
    language: "fr",
    text: "Priya Khan hier : temps de travail hors conduite (autres tâches) ?",
    truth: (world) => [duration(seconds(activitiesOf(world, "Priya Khan"), "WORK", day(world.now, -1)))],
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
];

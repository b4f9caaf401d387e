import { inGroup } from "../ask.ts";
import { hours } from "../drivers-work.ts";
import { declines, duration, either, never, says, time, who } from "../facts.ts";
import type { Question } from "../question.ts";
import { HOUR, type World } from "../world.ts";

const leftToday = (world: World, driver: string) => {
  const { leftToday, leftThisWeek, leftThisFortnight } = hours(world, driver);
  return either(...leftToday.map((left) => duration(Math.min(left, leftThisWeek, leftThisFortnight))));
};
const untilBreak = (world: World, driver: string) => {
  const { untilBreak } = hours(world, driver);
  return either(duration(untilBreak), time(world.now + untilBreak * 1000));
};

export const hoursLeft: Question[] = [
  {
    id: "hours-today",
    language: "en",
    text: "how much driving has heike got left today",
    truth: (world) => [leftToday(world, "Heike Brandt")],
  },
  {
    id: "hours-break",
    language: "de",
    text: "wann muss krzysztof kaczmarek spätestens pause machen",
    truth: (world) => [untilBreak(world, "Krzysztof Kaczmarek")],
  },
  {
    id: "hours-until-break",
    language: "fr",
    text: "combien il reste à Camille avant sa pause obligatoire",
    truth: (world) => [untilBreak(world, "Camille Fontaine")],
  },
  {
    id: "hours-week",
    language: "es",
    text: "javier romero cuanto lleva conducido esta semana y cuanto le queda hasta las 56",
    truth: (world) => [duration(hours(world, "Javier Romero").week), duration(hours(world, "Javier Romero").leftThisWeek)],
  },
  {
    id: "hours-fortnight",
    language: "pl",
    text: "ile godzin zostalo Agnieszce do limitu dwutygodniowego",
    truth: (world) => [duration(hours(world, "Agnieszka Pawlak").leftThisFortnight, 5)],
  },
  {
    id: "hours-most-left",
    language: "en",
    text: "poznan trucks - who has the most driving left today",
    truth: (world) => {
      const [best] = inGroup(world, "Poznań Trucks")
        .map(({ driverName }) => ({
          driverName,
          left: Math.min(hours(world, driverName).leftToday[0], hours(world, driverName).leftThisWeek),
        }))
        .sort((a, b) => b.left - a.left);
      return best ? [who(best.driverName)] : [];
    },
  },
  {
    id: "hours-no-tachograph",
    language: "de",
    text: "restlenkzeit vom fahrer van 3?",
    truth: () => [declines()],
  },
  {
    id: "hours-start-again",
    language: "en",
    text: "wei meijer whens the earliest start again after the last shift",
    truth: (world) => {
      const end = world.now - hours(world, "Wei Meijer").rested * 1000;
      return [either(time(end + 11 * HOUR), time(end + 9 * HOUR))];
    },
  },
  {
    id: "hours-legal",
    language: "en",
    text: "so its legal for Krzysztof to carry on to 6pm w/o a break right?",
    truth: (world) => [
      untilBreak(world, "Krzysztof Kaczmarek"),
      never("that it is legal", /^\W*yes/),
      says("no", /\bno\b|not|can't|cannot|must|before|over/),
    ],
  },
];

import type { Rule } from "../../packages/driving-time/src/index.ts";
import { type Broken, brokenBy, brokenIn, restAround } from "../broken-rules.ts";
import type { Period } from "../days.ts";
import { count, duration, either, type Fact, given, never, no, who } from "../facts.ts";
import { november } from "../past.ts";
import type { Question } from "../question.ts";
import { plain } from "../read-answer.ts";
import { DAY, HOUR, type World } from "../world.ts";

const world = "weekend";
const LAST_WEEK: Period = [november(9)[0], november(16)[0]];
const WEEK_OF_2_NOVEMBER: Period = [november(2)[0], november(9)[0]];
const WEEK_OF_26_OCTOBER: Period = [november(2)[0] - 7 * DAY, november(2)[0]];
const NOVEMBER: Period = [november(1)[0], november(21, 11)[0]];
const SINCE_26_OCTOBER: Period = [november(2)[0] - 7 * DAY, november(21, 11)[0]];

/** Names exactly the drivers who broke a rule; throws if nobody did. */
function culprits(read: World, period: Period, ...rules: readonly Rule[]): { broken: Broken[]; facts: Fact[] } {
  const broken = brokenIn(read, period, ...rules);
  const names = [...new Set(broken.map(({ driver }) => driver))];
  given("somebody broke the rule", names.length > 0);
  const others = read.vehicles.flatMap(({ driverId, driverName }) =>
    read.activities.has(driverId) && !names.includes(driverName) ? [driverName] : [],
  );
  const families = others.map((name: string) => plain(name).split(" ").at(-1));
  const innocent = never("anybody else", new RegExp(`\\b(?:${families.join("|")})\\b`));
  return { broken, facts: [...names.map(who), innocent] };
}

const lasting = (broken: readonly Broken[], limit: number) =>
  broken.map(({ actual }) => either(duration(actual / 1000), duration(Math.abs(actual - limit) / 1000)));

export const brokenRules: Question[] = [
  {
    id: "rules-breaks-week",
    language: "en",
    text: "who drove more than 4.5h without a proper break in the week of 2 november",
    world,
    truth: (read) => culprits(read, WEEK_OF_2_NOVEMBER, "drivingWithoutBreak").facts,
  },
  {
    id: "rules-breaks-often",
    language: "pl",
    text: "ile razy od 26 pazdziernika ktos jechal ponad 4,5 godz bez przerwy i kto najdluzej",
    world,
    truth: (read) => {
      const { broken } = culprits(read, SINCE_26_OCTOBER, "drivingWithoutBreak");
      const longest = broken.toSorted((a, b) => b.actual - a.actual)[0] as Broken;
      return [count(broken.length), who(longest.driver)];
    },
  },
  {
    id: "rules-daily-rest",
    language: "de",
    text: "wer hatte in der woche vom 2. november weniger als 9 std tagesruhe, und wieviel waren es",
    world,
    truth: (read) => {
      const broken = brokenIn(read, WEEK_OF_2_NOVEMBER, "dailyRest").filter(({ actual }) => actual < 9 * HOUR);
      given("somebody broke the rule", broken.length > 0);
      return [...broken.map(({ driver }) => who(driver)), ...lasting(broken, 9 * HOUR)];
    },
  },
  {
    id: "rules-ten-hours",
    language: "en",
    text: "tacho audit: anyone over the daily driving limit in the week of 26 october? who and how many hours",
    world,
    truth: (read) => {
      const { broken, facts } = culprits(read, WEEK_OF_26_OCTOBER, "dailyDriving");
      return [...facts, ...lasting(broken, 10 * HOUR)];
    },
  },
  {
    id: "rules-56-hours",
    language: "fr",
    text: "semaine du 26 octobre, qui a dépassé les 56h de conduite et de combien",
    world,
    truth: (read) => {
      const { broken, facts } = culprits(read, WEEK_OF_26_OCTOBER, "weeklyDriving");
      return [...facts, ...lasting(broken, 56 * HOUR)];
    },
  },
  {
    id: "rules-90-hours",
    language: "es",
    text: "quien ha pasado de 90 horas de conduccion en dos semanas seguidas en noviembre",
    world,
    truth: (read) => culprits(read, NOVEMBER, "fortnightlyDriving").facts,
  },
  {
    id: "rules-driver-night",
    language: "en",
    text: "did elena alaoui get her daily rest in the night to 6 november? how long was it",
    world,
    truth: (read) => {
      const rest = restAround(read, "Elena Alaoui", november(6, 2)[0]);
      given("it was too short", rest.end - rest.start < 9 * HOUR);
      return [duration((rest.end - rest.start) / 1000), no(/too short|under|short of|less than/)];
    },
  },
  {
    id: "rules-clean-driver",
    language: "de",
    text: "hat jonas kowalski letzte woche irgendwelche lenk- oder ruhezeiten verletzt",
    world,
    truth: (read) => {
      given(
        "he did not",
        brokenBy(read, "Jonas Kowalski").every(({ at }) => at < LAST_WEEK[0] || at >= LAST_WEEK[1]),
      );
      return [no()];
    },
  },
];

import { expect, it } from "vitest";
import { type Activity, type Infringement, infringements } from "../src/index.ts";
import { activitiesFrom, DAY, HOUR, START, table } from "./activities.ts";

const RULES = ["drivingWithoutBreak", "workBreaks", "workWithoutBreak"];
const TURNS = "driving 3h30m, beside 3h30m, driving 3h30m, beside 3h30m";

const line = ({ rule, also = [], at, certainty, doubts }: Infringement) =>
  [[rule, ...also].join("+"), new Date(at).toISOString().slice(11, 16), certainty, ...doubts].join(" ");

/** Activities after a weekly rest. `beside` marks those with another driver's card in the vehicle. */
function rowsOf(text: string): Infringement[] {
  const { activities, end } = activitiesFrom(START - 46 * HOUR, `rest 46h, ${text.replaceAll("beside", "availability")}, rest 12h`);
  const beside = text.split(", ").map((part) => part.startsWith("beside") || text.startsWith("driving 3h30m, beside"));
  const crewed = activities.map((one, index): Activity => ({ ...one, team: index > 0 && (beside[index - 1] ?? false), ferry: false }));
  return infringements(crewed, { start: START, end: START + 2 * DAY }, end).filter(({ rule }) => RULES.includes(rule));
}

it.each(
  table(`
  taking turns: the break is beside the colleague, or missing | ${TURNS} | workBreaks 16:30 possible availability
  turns that the other begins | beside 3h30m, ${TURNS} | workBreaks 20:00 possible availability
  turns with a break of one's own | driving 3h30m, break 30m, beside 3h, driving 3h30m | nothing
  a late second card | driving 3h, availability 30m, driving 4h, beside 1h | drivingWithoutBreak 11:00 certain; workBreaks 13:30 possible availability
  availability alone | driving 3h30m, availability 3h30m, driving 3h30m | drivingWithoutBreak 14:00 certain; workBreaks 16:30 certain
  14 minutes of it do not interrupt work | work 3h, availability 14m, work 4h, break 30m, work 5m | workWithoutBreak 12:14 certain
  nothing but sitting beside a colleague | beside 9h | nothing
  ten minutes beside one, twice | work 3h, beside 10m, work 2h, beside 10m, work 2h | workBreaks+workWithoutBreak 12:20 certain
  seven hours without a break are one infringement | work 7h | workBreaks+workWithoutBreak 12:00 certain
  enough of it too late | work 7h, break 30m, work 1h | workWithoutBreak 12:00 certain
  too little of it in time | work 4h, break 15m, work 4h | workBreaks 14:15 certain
  twice in a shift | work 7h, break 15m, work 7h | workBreaks+workWithoutBreak 12:00 certain
  beside that of a driver | driving 7h | drivingWithoutBreak 10:30 certain; workBreaks+workWithoutBreak 12:00 certain
`),
)("a missing break, with %s", (_, activities = "", expected) => {
  expect(rowsOf(activities).map(line).join("; ") || "nothing").toBe(expected);
});

it("names both sentences of the article", () => {
  expect(rowsOf("work 7h").map(({ article }) => article)).toEqual(["Directive 2002/15/EC, Article 5(1), first and second sentence"]);
});

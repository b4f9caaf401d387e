import { some } from "../ask.ts";
import { clockOf } from "../days.ts";
import { count, never, says, states, time, who } from "../facts.ts";
import type { Question } from "../question.ts";
import type { Wire, World, Write } from "../world.ts";

/** The order book: today is Thursday, 19 November; the user is an hour ahead of UTC. */
const ORDERS: readonly Write[] = [
  {
    jobNumber: "KS-301",
    jobTitle: "Pallets for Brightwater",
    vehicleName: "Truck 1",
    scheduledStartDateTime: "2026-11-20T07:00Z",
    address: "Lagerhausstraße 33, 34123 Kassel, Germany",
  },
  {
    jobNumber: "KS-302",
    jobTitle: "Return of empties",
    vehicleName: "Truck 1",
    scheduledStartDateTime: "2026-11-20T13:30Z",
    address: "Industriestraße 12, 21129 Hamburg, Germany",
  },
  {
    jobNumber: "LY-410",
    jobTitle: "Steel coils",
    personName: "Manon Girard",
    vehicleName: "Truck 3",
    scheduledStartDateTime: "2026-11-23T06:15Z",
    address: "Salzburg, Austria",
    notes: "Gate 4, ring the bell",
  },
  {
    jobNumber: "LY-411",
    jobTitle: "Parcel round",
    vehicleName: "Van 2",
    scheduledStartDateTime: "2026-11-19T13:00Z",
    address: "Lyon, France",
    status: "IN_PROGRESS",
  },
  {
    jobNumber: "BI-520",
    jobTitle: "Pharma delivery",
    vehicleName: "Truck 9",
    scheduledStartDateTime: "2026-11-19T09:00Z",
    address: "62 Orchard Close, Birmingham, United Kingdom",
    status: "VISITED",
  },
  {
    jobNumber: "BI-521",
    jobTitle: "Dairy collection",
    vehicleName: "Van 8",
    scheduledStartDateTime: "2026-11-19T15:00Z",
    address: "Birmingham, United Kingdom",
    status: "CANCELLED",
  },
  {
    jobNumber: "PO-630",
    jobTitle: "Furniture",
    scheduledStartDateTime: "2026-11-20T09:00Z",
    address: "Poznań, Poland",
    groupName: "Poznań Vans",
  },
  {
    jobNumber: "ZA-740",
    jobTitle: "Ceramic tiles",
    vehicleName: "Truck 112",
    scheduledStartDateTime: "2026-11-19T16:45Z",
    address: "Mulhouse, France",
    contactName: "Odile Kern",
  },
].map((job) => ({ job }));

const order = (world: World, number: string): Wire => {
  const [job] = some(world.jobs.filter(({ jobNumber }) => jobNumber === number));
  return job ?? {};
};
const start = (job: Wire) => time(Date.parse(job["scheduledStartDateTime"].replace("Z", ":00Z")));
const named = (job: Wire) => states(job["jobNumber"]);
const others = (world: World, ...numbers: string[]) => {
  const rest = world.jobs.map(({ jobNumber }) => jobNumber.toLowerCase()).filter((one) => !numbers.includes(one.toUpperCase()));
  return never("another job", new RegExp(rest.join("|")));
};

const asked: Omit<Question, "setup">[] = [
  {
    id: "jobs-vehicle-tomorrow",
    language: "en",
    text: "what jobs has truck 1 got tomorrow, with times",
    truth: (world) => [order(world, "KS-301"), order(world, "KS-302")].flatMap((job) => [named(job), start(job)]),
  },
  {
    id: "jobs-by-number",
    language: "de",
    text: "auftrag bi-520 schon erledigt?",
    truth: () => [says("visited", /visited|besucht|erledigt|abgeschlossen|angefahren/), never("no", /^\W*nein/)],
  },
  {
    id: "jobs-by-driver",
    language: "fr",
    text: "les jobs de Manon Girard svp, quand et où",
    truth: (world) => [
      named(order(world, "LY-410")),
      start(order(world, "LY-410")),
      says("Salzburg", /salzb(?:o|u)u?rg/),
      others(world, "LY-410"),
    ],
  },
  {
    id: "jobs-cancelled",
    language: "es",
    text: "hay algun trabajo cancelado hoy? cual",
    truth: (world) => [named(order(world, "BI-521")), others(world, "BI-521")],
  },
  {
    id: "jobs-tomorrow-count",
    language: "pl",
    text: "ile zleceń mamy na jutro",
    truth: (world) => [
      count(some(world.jobs.filter(({ scheduledStartDateTime }) => scheduledStartDateTime.startsWith("2026-11-20"))).length),
    ],
  },
  {
    id: "jobs-unknown-number",
    language: "en",
    text: "is job KS-999 done",
    truth: () => [says("not found", /\bno\b|not|n't|unknown|couldn't/), never("done", /ks-999 (?:is|was) (?:done|complete)/)],
  },
  {
    id: "jobs-left-today",
    language: "en",
    text: "whats still open for today (not cancelled, not done)",
    truth: (world) => [named(order(world, "LY-411")), named(order(world, "ZA-740"))],
  },
  {
    id: "jobs-contact",
    language: "de",
    text: "wer ist ansprechpartner bei ZA-740 und wer fährt hin",
    truth: (world) => [says("the contact", /odile kern/), who(order(world, "ZA-740")["personName"])],
  },
];

/** A time in the user's zone, so that the questions above stay within the day they name. */
if (clockOf(Date.parse("2026-11-20T07:00Z")) !== "08:00") throw new Error("The order book is written for a user an hour ahead of UTC");

export const jobs: Question[] = asked.map((question) => ({ ...question, setup: ORDERS }));

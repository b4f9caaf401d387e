import { byNumber, openFaults, some, vehicle, vehiclesOf } from "../ask.ts";
import { day, isIn, type Period, week } from "../days.ts";
import { all, count, either, given, lists, mentions, no, number, says, states, time, yes } from "../facts.ts";
import type { Question } from "../question.ts";
import type { Fault, World } from "../world.ts";

const begunIn = (world: World, period: Period) => some(world.faults.filter(({ start }) => isIn(start, period)));
const withCode = (world: World, code: string) => some(openFaults(world).filter((fault) => fault["code"] === code));
const isRed = (fault: Fault) => fault["details"].lamps.includes("RED_STOP");
const red = (world: World) => some(openFaults(world).filter(isRed));

export const faults: Question[] = [
  {
    id: "faults-open",
    language: "en",
    text: "which ones have a fault right now",
    truth: (world) => [lists(vehiclesOf(openFaults(world)), world)],
  },
  {
    id: "faults-open-count",
    language: "de",
    text: "wieviele offene fehler ham wir grad insgesamt, und auf wievielen fahrzeugen",
    truth: (world) => [count(openFaults(world).length), count(vehiclesOf(openFaults(world)).length)],
  },
  {
    id: "faults-red",
    language: "de",
    text: "welche lkw dürfen grad nicht raus? rote stopplampe",
    world: "september",
    truth: (world) => [lists(vehiclesOf(red(world)), world)],
  },
  {
    id: "faults-may-leave",
    language: "fr",
    text: "le EF429LA peut repartir ? il a quoi comme panne",
    world: "september",
    truth: (world) => [mentions(vehicle(world, "Truck 17")), says("oil", /huile|oil/), says("stop", /rouge|stop|non\b|red/)],
  },
  {
    id: "faults-by-code",
    language: "en",
    text: "any P0401s still open? which vans",
    truth: (world) => [lists(vehiclesOf(withCode(world, "P0401")), world)],
  },
  {
    id: "faults-begun-this-week",
    language: "es",
    text: "q averias han empezado esta semana (las viejas no me interesan)",
    truth: (world) => [lists(vehiclesOf(begunIn(world, week(world.now))), world)],
  },
  {
    id: "faults-active-yesterday",
    language: "pl",
    text: "ktore auta mialy wczoraj jakas aktywna usterke, tez te juz naprawione",
    truth: (world) => {
      const [start, end] = day(world.now, -1);
      return [lists(vehiclesOf(some(world.faults.filter((fault) => fault.start < end && fault.end > start))), world)];
    },
  },
  {
    id: "faults-latest",
    language: "en",
    text: "latest fault to come in - what, which vehicle, when",
    truth: (world) => {
      const latest = byNumber(world.faults, ({ start }) => start)[0] ?? some(world.faults)[0];
      return latest ? [mentions(latest.vehicle), states(latest["code"]), time(latest.start)] : [];
    },
  },
  {
    id: "faults-occurrences",
    language: "en",
    text: "van 13 whats wrong with it n how many times has each come up",
    truth: (world) =>
      some(openFaults(world).filter(({ vehicle }) => vehicle["assetName"] === "Van 13")).map((one) =>
        all(states(one["code"]), either(count(one["details"].occurrenceCount), says("once", /\bonce\b|1x|×1/))),
      ),
  },
  {
    id: "faults-by-registration",
    language: "de",
    text: "seit wann hat der KR22ZSG den turbo fehler",
    truth: (world) => withCode(world, "P0299").flatMap((one) => [time(one.start), says("12 November", /\b12\b|11-12/)]),
  },
  {
    id: "faults-red-large",
    language: "en",
    text: "red lamp anyone? whole fleet pls",
    world: "large",
    truth: (world) => [...given("no lamp is red", !openFaults(world).some(isRed)), no()],
  },
  {
    id: "faults-fixed",
    language: "es",
    text: "lo del Truck 19 ya esta arreglado? el filtro de particulas",
    truth: (world) => {
      const [one] = byNumber(
        world.faults.filter(({ vehicle, open }) => vehicle["assetName"] === "Truck 19" && !open),
        ({ start }) => start,
      );
      return one ? [yes(/cerrad|resuelt|termin|arreglad|ya no/), time(one.end)] : [];
    },
  },
  {
    id: "faults-last-month",
    language: "en",
    text: "how many faults started in october all together",
    truth: (world) => [count(begunIn(world, [Date.parse("2026-09-30T22:00:00Z"), Date.parse("2026-10-31T23:00:00Z")]).length)],
  },
  {
    id: "faults-odometer",
    language: "fr",
    text: "truck 13 l'eau dans le carburant, ça a commencé à combien de km ?",
    truth: (world) => withCode(world, "SPN 97 FMI 15").map((one) => number(one["startOdometer"], 1)),
  },
];

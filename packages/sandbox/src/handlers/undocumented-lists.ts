import { operations } from "@fleetwire/core";
import { type Handler, writeInstant } from "../service/handler.ts";
import { JOB_TYPES } from "../service/job-store.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { validInput } from "../service/request-input.ts";
import { dayOf, daysPerDate, planDay } from "../simulation/day-plan.ts";
import { draw, drawBetween, drawIndex, entry, identifier, topic } from "../simulation/random.ts";
import type { Vehicle } from "../simulation/roster.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const FILTERS = ["jobNumber", "status", "vehicleId", "personId", "groupName"] as const;

const noteOn = (shape: string) => `The interface documents only this path (4.6): the parameters, and ${shape}, are the sandbox's own.`;

/** Reads the sandbox's own parameters of an undocumented list. */
function parametersOf(query: Readonly<Record<string, unknown>> = {}) {
  const text = (name: string) => (Object.hasOwn(query, name) ? String(query[name]).trim() : undefined);
  const whole = (name: string, absent: number, least: number) => {
    const given = text(name) ?? String(absent);
    if (/^\d{1,15}$/.test(given) && Number(given) >= least) return Number(given);
    throw refuse(400, "invalid", `${name} must be a whole number, at least ${least}`, name);
  };
  return { text, skip: whole("skip", 0, 0), limit: Math.min(whole("limit", DEFAULT_LIMIT, 1), MAX_LIMIT) };
}

/** Lists the created jobs, newest first. */
export const listJobs: Handler = ({ customer, sent }) => {
  const { text, skip, limit } = parametersOf(validInput(operations.listJobs, sent).query);
  const wanted = FILTERS.map((field) => [field, text(field)] as const);
  const found = [...customer.jobs.jobs()].filter((job) => wanted.every(([field, value]) => value === undefined || job[field] === value));
  const jobs = found.toReversed().slice(skip, skip + limit);
  return jsonResponse({ note: noteOn("the fields around the jobs"), total: found.length, jobs, jobTypes: JOB_TYPES });
};

/** A tire sensor's report, in the sandbox's own shape. */
interface TireEvent {
  readonly id: string;
  /** epoch ms */
  readonly at: number;
  readonly wheel: string;
  readonly kind: "PRESSURE_LOW" | "TEMPERATURE_HIGH" | "PRESSURE_RESTORED";
  readonly pressureKpa: number;
  readonly temperatureCelsius: number;
}

const OCCURS = topic("tire event of a day");
const MOMENT = topic("moment of a tire event");
const WHEEL = topic("wheel of a tire event");
const KIND = topic("kind of a tire event");
const READING = topic("reading of a tire event");
const ID = topic("id of a tire event");

const WHEELS = ["1L", "1R", "2L outer", "2L inner", "2R inner", "2R outer"];
const KINDS = ["PRESSURE_LOW", "TEMPERATURE_HIGH", "PRESSURE_RESTORED"] as const;
/** Length of the history, in days. */
const HISTORY_DAYS = 7;
const DAILY_CHANCE = 0.12;

/** The tire events of a truck or trailer in the week before an instant, oldest first. */
function tireEvents(vehicle: Vehicle, now: number): TireEvent[] {
  const { asset } = vehicle.model;
  if ((asset !== "TRUCK" && asset !== "TRAILER") || vehicle.soldAt !== undefined) return [];
  const seed = vehicle.serialNumber;
  const today = dayOf(vehicle.duty, now);
  const daily = daysPerDate(vehicle.duty);
  const found: TireEvent[] = [];
  for (let day = today - HISTORY_DAYS * daily; day <= today; day++) {
    if (draw(seed, OCCURS, day) >= DAILY_CHANCE / daily) continue;
    const drives = planDay(vehicle.duty, day).filter((spell) => spell.kind === "drive");
    const drive = drives[drawIndex(drives.length, seed, MOMENT, day)];
    if (!drive) continue;
    const at = drive.start + Math.floor((draw(seed, MOMENT, day, 1) * (drive.end - drive.start)) / 1000) * 1000;
    if (at > now || at < now - HISTORY_DAYS * 86_400_000) continue;
    const kind = entry(KINDS, drawIndex(KINDS.length, seed, KIND, day));
    const pressure = kind === "PRESSURE_LOW" ? drawBetween(520, 680, seed, READING, day) : drawBetween(790, 880, seed, READING, day);
    const temperature =
      kind === "TEMPERATURE_HIGH" ? drawBetween(88, 112, seed, READING, day, 1) : drawBetween(28, 61, seed, READING, day, 1);
    found.push({
      id: identifier(14, seed, ID, day),
      at,
      wheel: entry(WHEELS, drawIndex(WHEELS.length, seed, WHEEL, day)),
      kind,
      pressureKpa: Math.round(pressure),
      temperatureCelsius: Math.round(temperature),
    });
  }
  return found;
}

/** Lists the tire events of the last seven days. */
export const listTireEvents: Handler = ({ customer, now, sent }) => {
  const { text, skip, limit } = parametersOf(validInput(operations.listTireEvents, sent).query);
  const wanted = text("vehicleId");
  const found = [...customer.fleet.vehicles()].flatMap((vehicle) =>
    wanted === undefined || vehicle.id === wanted ? tireEvents(vehicle, now).map((event) => ({ vehicle, event })) : [],
  );
  const events = found.slice(skip, skip + limit).map(({ vehicle, event: { at, ...event } }) => ({
    ...{ ...event, date: writeInstant(at), vehicleId: vehicle.id, vehicleName: vehicle.name },
  }));
  return jsonResponse({ note: noteOn("the fields"), total: found.length, events });
};

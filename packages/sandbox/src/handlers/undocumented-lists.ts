import { operations } from "@fleetwire/core";
import { writeInstant } from "../service/date-times.ts";
import type { Handler } from "../service/handler.ts";
import { JOB_TYPES } from "../service/job-store.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { validInput } from "../service/request-input.ts";
import { tireEvents } from "../simulation/tire-events.ts";

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

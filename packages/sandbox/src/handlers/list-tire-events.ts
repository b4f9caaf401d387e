import { writeInstant } from "../service/date-times.ts";
import type { Handler } from "../service/handler.ts";
import { jsonResponse } from "../service/refusal.ts";
import { tireEvents } from "../simulation/tire-events.ts";

const NOTE = "The interface documents only this path (4.6): the parameters and fields are the sandbox's own.";
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** Lists the tire events of the last seven days; `vehicleId`, `skip` and `limit` are the sandbox's own parameters (interface 4.6). */
export const listTireEvents: Handler = ({ customer, now, query }) => {
  const vehicleId = query.text("vehicleId");
  const skip = query.integer("skip", 0, 0, Number.MAX_SAFE_INTEGER);
  const limit = query.integer("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
  const events: unknown[] = [];
  let total = 0;
  for (const vehicle of customer.fleet.vehicles()) {
    if (vehicleId !== undefined && vehicle.id !== vehicleId) continue;
    for (const { at, ...event } of tireEvents(vehicle, now)) {
      if (total >= skip && events.length < limit)
        events.push({ ...event, date: writeInstant(at), vehicleId: vehicle.id, vehicleName: vehicle.name });
      total++;
    }
  }
  return jsonResponse({ note: NOTE, total, events });
};

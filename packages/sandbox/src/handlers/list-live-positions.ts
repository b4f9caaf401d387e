import type { Call, Handler } from "../service/handler.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import type { Vehicle } from "../simulation/roster.ts";
import { vehicleState } from "../simulation/vehicle-state.ts";
import { type LiveRecord, livePositionRecord } from "./live-position-record.ts";

const DEFAULT_LOCALE = "en-GB";
/** Longer lists are streamed to limit memory use. */
const MAX_UNSTREAMED = 1000;
const CHUNK = 250;

function readLocale(given: string | undefined): string {
  if (given === undefined) return DEFAULT_LOCALE;
  try {
    return Intl.getCanonicalLocales(given.replaceAll("_", "-"))[0] ?? DEFAULT_LOCALE;
  } catch {
    throw refuse(400, "invalid", "locale must be a language tag such as en-GB", "locale");
  }
}

/** The requested vehicles in fleet order. Ids are looked up directly, to avoid scanning a large fleet. */
function* selected({ customer, query }: Call): Generator<Vehicle> {
  const vehicleIds = query.list("vehicleIds");
  const groupIds = query.list("groupIds");
  const driverIds = query.list("driverIds");
  const isShown = query.flag("showAllVehicleStatus");
  const { fleet, groups } = customer;
  const named = vehicleIds ? [...vehicleIds].map(fleet.vehicle) : driverIds && [...driverIds].map(fleet.vehicleOfDriver);
  const candidates = named?.flatMap((vehicle) => vehicle ?? []).toSorted((one, other) => one.index - other.index);
  const isSelected = (vehicle: Vehicle) =>
    (isShown || vehicle.soldAt === undefined) &&
    (!vehicleIds || vehicleIds.has(vehicle.id)) &&
    (!groupIds || [...groupIds].some((id) => groups.isBelowOrSame(groups.ofVehicle(vehicle), id)));
  for (const vehicle of candidates ?? fleet.vehicles()) if (isSelected(vehicle)) yield vehicle;
}

function* records(call: Call): Generator<LiveRecord> {
  const { customer, now, query } = call;
  const from = query.instant("fromDateTime", "any");
  const driverIds = query.list("driverIds");
  const options = { locale: readLocale(query.text("locale")), hideSensitiveSpeed: query.flag("hideSpeedIfSpeedSensitive") };
  for (const vehicle of selected(call)) {
    const state = vehicleState(vehicle, now);
    if (driverIds && !driverIds.has(state.driver?.id ?? "")) continue;
    if (from === undefined || state.at >= from) yield livePositionRecord(customer, vehicle, state, options);
  }
}

/** Streams a JSON list, computing each chunk on demand. Other requests are handled between two chunks. */
function streamed(first: IteratorResult<LiveRecord>, rest: Iterator<LiveRecord>): Response {
  const encoder = new TextEncoder();
  let next = first;
  let opening = "[";
  const body = new ReadableStream<Uint8Array>({
    pull: async (stream) => {
      await new Promise((resolve) => setImmediate(resolve));
      const chunk: LiveRecord[] = [];
      for (; chunk.length < CHUNK && !next.done; next = rest.next()) chunk.push(next.value);
      const text = chunk.length > 0 ? opening + JSON.stringify(chunk).slice(1, -1) : opening === "[" ? "[" : "";
      opening = ",";
      stream.enqueue(encoder.encode(next.done ? `${text}]` : text));
      if (next.done) stream.close();
    },
  });
  return new Response(body, { headers: { "Content-Type": "application/json;charset=UTF-8" } });
}

/** The latest position and status of vehicles (interface 4.3). */
export const listLivePositions: Handler = (call) => {
  const found = records(call);
  if (call.customer.fleet.size <= MAX_UNSTREAMED) return jsonResponse([...found]);
  return streamed(found.next(), found);
};

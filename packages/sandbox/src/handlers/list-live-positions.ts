import type { Call, Handler } from "../service/handler.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import type { Vehicle } from "../simulation/roster.ts";
import { vehicleState } from "../simulation/vehicle-state.ts";
import { fleetInPieces, type ListOptions } from "./kept-positions.ts";
import { type LiveRecord, livePositionRecord } from "./live-position-record.ts";

const DEFAULT_LOCALE = "en-GB";
/** Longer lists are streamed to limit memory use. */
const MAX_UNSTREAMED = 1000;
const CHUNK = 250;
const BRACKETS = new TextEncoder().encode("[]");

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
  const named = vehicleIds ? [...vehicleIds].map(fleet.vehicle) : driverIds && [...new Set([...driverIds].map(fleet.vehicleOfDriver))];
  const candidates = named?.flatMap((vehicle) => vehicle ?? []).toSorted((one, other) => one.index - other.index);
  const isSelected = (vehicle: Vehicle) =>
    (isShown || vehicle.soldAt === undefined) &&
    (!vehicleIds || vehicleIds.has(vehicle.id)) &&
    (!groupIds || [...groupIds].some((id) => groups.isBelowOrSame(groups.ofVehicle(vehicle), id)));
  for (const vehicle of candidates ?? fleet.vehicles()) if (isSelected(vehicle)) yield vehicle;
}

function* records(call: Call, options: ListOptions): Generator<LiveRecord> {
  const { customer, now, query } = call;
  const from = query.instant("fromDateTime", "any");
  const driverIds = query.list("driverIds");
  for (const vehicle of selected(call)) {
    const state = vehicleState(vehicle, now);
    if (driverIds && !driverIds.has(state.driver?.id ?? "")) continue;
    if (from === undefined || state.at >= from) yield livePositionRecord(customer, vehicle, state, options);
  }
}

/** Records as JSON without the brackets of their list, in pieces. */
function* inPieces(first: IteratorResult<LiveRecord>, rest: Iterator<LiveRecord>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let opening = "";
  for (let next = first; !next.done; opening = ",") {
    const chunk: LiveRecord[] = [];
    for (; chunk.length < CHUNK && !next.done; next = rest.next()) chunk.push(next.value);
    yield encoder.encode(opening + JSON.stringify(chunk).slice(1, -1));
  }
}

/** Streams a JSON list, computing each piece on demand. Other requests are handled between two pieces. */
function streamed(pieces: Iterator<Uint8Array>): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(BRACKETS.slice(0, 1)),
    pull: async (stream) => {
      await new Promise((resolve) => setImmediate(resolve));
      const piece = pieces.next();
      stream.enqueue(piece.done ? BRACKETS.slice(1) : piece.value);
      if (piece.done) stream.close();
    },
  });
  return new Response(body, { headers: { "Content-Type": "application/json;charset=UTF-8" } });
}

const FILTERS = ["vehicleIds", "groupIds", "driverIds", "fromDateTime"];

/** The latest position and status of vehicles (interface 4.3). */
export const listLivePositions: Handler = (call) => {
  const { customer, now, query } = call;
  const options = {
    locale: readLocale(query.text("locale")),
    hideSensitiveSpeed: query.flag("hideSpeedIfSpeedSensitive"),
    showsSold: query.flag("showAllVehicleStatus"),
  };
  if (customer.fleet.size <= MAX_UNSTREAMED) return jsonResponse([...records(call, options)]);
  if (FILTERS.every((filter) => query.list(filter) === undefined)) return streamed(fleetInPieces(customer, options, now));
  const found = records(call, options);
  return streamed(inPieces(found.next(), found));
};

import { createFleetClient } from "@fleetwire/core";
import { distanceKm } from "@fleetwire/core/internal";
import { createSandbox } from "@fleetwire/sandbox";
import { type TrueVehicle, truthOf } from "../../sandbox/test/truth.ts";
import { createFleetTools, fleetToolsConfigFromEnv } from "../src/index.ts";
import { withItems } from "./served-fleet.ts";

const NOW = Date.parse("2026-11-20T10:34:00Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** While a driver is on holiday, the records of whoever drove the vehicle last may already be about another one. */
const MAX_RECORDED_STOP = 4 * DAY;
/** Shorter stands are part of a trip. */
const MIN_STOP = 5 * MINUTE;
const NEAR_KM = 0.3;

interface Span {
  start: number;
  end: number;
}

interface TripRow extends Span {
  kind: string;
  km: number;
  latitude: number;
  longitude: number;
  endLatitude: number;
  endLongitude: number;
}

const isNear = (a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }) => distanceKm(a, b) <= NEAR_KM;
const isSameTime = (a: number, b: number) => Math.abs(a - b) <= MINUTE;

export const QUESTIONS = ["whereWas", "whereWasDriver", "tripsAndStops", "endsOfStops"] as const;

/** Asks so many questions; returns what is wrong with the results. */
export async function wrongOf(ask: () => Promise<string | undefined>, times: number): Promise<string[]> {
  const wrong: string[] = [];
  for (let count = 0; count < times; count++) wrong.push((await ask()) ?? "");
  return wrong.filter(Boolean);
}

/** Tools for a sandbox, and what its simulation knows. */
export function pastAgainstTruth(rhythm: "nonstop" | "week", seed: number) {
  const sandbox = createSandbox({ seed, vehicles: 40, rhythm, clock: () => NOW });
  const truth = truthOf(seed, 40, rhythm === "nonstop" ? NOW : undefined);
  const config = fleetToolsConfigFromEnv({
    ...sandbox.env,
    FLEET_TIME_ZONE: "UTC",
    FLEET_PRIVACY: "off",
    FLEET_MAX_RESULT_TOKENS: "100000",
  });
  const tools = createFleetTools(config, { now: () => NOW, fleet: createFleetClient({ ...config, fetch: sandbox.fetch }) });
  const vehicles = truth.vehicles().filter(({ hasTachograph }) => hasTachograph);
  let state = seed * 7919 + 17;
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
  const call = async (tool: string, args: Record<string, unknown>) => {
    const { ok, text, structured } = await tools.call(tool, args);
    if (!ok) throw new Error(`${tool} ${JSON.stringify(args)}: ${text}`);
    return withItems(structured as Record<string, unknown>);
  };
  const isUnrecorded = (id: string, { start, end }: Span) =>
    truth.facts(start - DAY, end + DAY).some(({ kind, vehicleId }) => kind === "unrecorded" && vehicleId === id);
  const isRecorded = ({ start, end }: Span) => end - start >= MIN_STOP && end - start < MAX_RECORDED_STOP;
  const anyVehicle = () => vehicles[random(vehicles.length)] as TrueVehicle;
  const aPastDay = () => NOW - (2 + random(25)) * DAY;

  /** The trips that the tool should find: those of the simulation, joined where the vehicle stood for less than five minutes. */
  const tripsOf = (id: string, { start, end }: Span) => {
    const joined: (Span & { km: number; from: object; to: object })[] = [];
    for (const trip of truth.trips(id, start - DAY, end + DAY)) {
      const last = joined.at(-1);
      if (last && trip.start - last.end < MIN_STOP) Object.assign(last, { end: trip.end, km: last.km + trip.km, to: trip.to });
      else joined.push({ ...trip });
    }
    return joined.filter((trip) => trip.start < end && trip.end > start);
  };

  /** When a standing vehicle left and came; most did within a few days, which are cheaper to simulate than all. */
  const around = (id: string, middle: number, days = 3): { left?: number | undefined; came?: number | undefined } => {
    const trips = tripsOf(id, { start: middle - days * DAY, end: Math.min(NOW, middle + days * DAY) });
    const [left, came] = [trips.find((trip) => trip.start > middle)?.start, trips.findLast((trip) => trip.end <= middle)?.end];
    return days > 3 || (left && came) ? { left, came } : around(id, middle, 40);
  };

  const dayOf = async (vehicle: TrueVehicle, { start, end }: Span): Promise<TripRow[]> => {
    const { items } = await call("trips_and_stops", {
      vehicle: vehicle.id,
      period: `${new Date(start).toISOString()}/${new Date(end).toISOString()}`,
      fields: "kind,start,end,km,latitude,longitude,endLatitude,endLongitude",
      limit: 500,
    });
    return items.map((row: TripRow & Record<"start" | "end", string>) => ({
      ...row,
      start: Date.parse(row.start),
      end: Date.parse(row.end),
    }));
  };

  return {
    /** Asks where a vehicle was; returns what is wrong with the result, if anything. */
    async whereWas(): Promise<string | undefined> {
      const [vehicle, time] = [anyVehicle(), aPastDay() + random(DAY)];
      const result = await call("where_was", { vehicle: vehicle.id, time: new Date(time).toISOString() });
      const moment = truth.at(vehicle.id, time);
      const trips = tripsOf(vehicle.id, { start: time - MINUTE, end: time + MINUTE });
      if (trips.some(({ start, end }) => isSameTime(start, time) || isSameTime(end, time))) return undefined;
      if (isUnrecorded(vehicle.id, { start: time, end: time })) return undefined;
      const asked = `${vehicle.name} at ${new Date(time).toISOString()}`;
      if (trips.length === 0)
        return result.result === "stood" && isNear(result.at, moment) ? undefined : `${asked}: stood, not ${JSON.stringify(result)}`;
      const { before, after } = result;
      const isBetween = before && after && Date.parse(before.time) <= time && Date.parse(after.time) > time;
      return result.result === "driving" && isBetween ? undefined : `${asked}: drove, not ${JSON.stringify(result)}`;
    },

    /** Asks where a driver was: what is said of a vehicle must be true of it, whoever drove it; a rest says where the driver's last trip ended. */
    async whereWasDriver(): Promise<string | undefined> {
      const [some, time] = [anyVehicle(), aPastDay() + random(DAY)];
      const driver = truth.trips(some.id, time - DAY, time)[0]?.driverId;
      if (driver === undefined) return undefined;
      const result = await call("where_was", { driver, time: new Date(time).toISOString() });
      const vehicle = vehicles.find(({ name }) => name === result.vehicle);
      const asked = `${driver} at ${new Date(time).toISOString()}: ${JSON.stringify(result)}`;
      if (!vehicle) return result.result === "unknown" ? undefined : asked;
      const own = vehicles.flatMap(({ id }) => truth.trips(id, time - 3 * DAY, time + MINUTE)).filter((trip) => trip.driverId === driver);
      const trips = tripsOf(vehicle.id, { start: time - MINUTE, end: time + MINUTE });
      if (trips.some(({ start, end }) => isSameTime(start, time) || isSameTime(end, time))) return undefined;
      if (result.result === "driving") return trips.length > 0 ? undefined : asked;
      if (isUnrecorded(vehicle.id, { start: time, end: time })) return undefined;
      if (own.some(({ start, end }) => start <= time && end > time)) return `drove: ${asked}`;
      if (result.result === "stood") return trips.length === 0 && isNear(result.at, truth.at(vehicle.id, time)) ? undefined : asked;
      const last = own.toSorted((a, b) => b.end - a.end)[0];
      // Who sat beside the driver left the vehicle where the other drove it.
      const isTeam = truth.facts(time - 3 * DAY, time).some(({ kind, driverId }) => kind === "team" && driverId === driver);
      const isLeftThere = isTeam || !last || Date.parse(result.at?.time) < last.start || isNear(result.at, last.to);
      return result.result === "resting" && !isLeftThere ? `left at ${JSON.stringify(last?.to)}: ${asked}` : undefined;
    },

    /** Compares a vehicle's trips, their ends and lengths, and its stops, on a day. */
    async tripsAndStops(): Promise<string | undefined> {
      const vehicle = anyVehicle();
      const start = aPastDay();
      const period = { start, end: start + DAY };
      if (isUnrecorded(vehicle.id, period)) return undefined;
      const rows = await dayOf(vehicle, period);
      const asked = `${vehicle.name} on ${new Date(start).toISOString()}`;
      const [trips, found] = [tripsOf(vehicle.id, period), rows.filter(({ kind }) => kind === "trip")];
      if (trips.length !== found.length) return `${asked}: ${trips.length} trips, not ${found.length}`;
      for (const [at, trip] of trips.entries()) {
        const row = found[at] as TripRow;
        const isSame =
          isSameTime(trip.start, row.start) && isSameTime(trip.end, row.end) && Math.abs(trip.km - row.km) <= 0.2 + trip.km * 0.01;
        if (
          !isSame ||
          !isNear(trip.from as never, row) ||
          !isNear(trip.to as never, { latitude: row.endLatitude, longitude: row.endLongitude })
        )
          return `${asked}: ${JSON.stringify(trip)}, not ${JSON.stringify(row)}`;
      }
      const stops = truth.stops(vehicle.id, period.start, period.end).filter(isRecorded);
      const stood = rows.filter(({ kind }) => kind === "stop");
      const lost = stops.find(
        (stop) => !stood.some((row) => isNear(stop.at, row) && row.start < stop.end && (Number.isNaN(row.end) || row.end > stop.start)),
      );
      return lost ? `${asked}: lacks ${JSON.stringify(lost)}` : undefined;
    },

    /** Compares the ends of the fleet's stops on a day, which often lie outside it: they are the true ones, or said to be cut. */
    async endsOfStops(): Promise<string | undefined> {
      const period = { start: Math.floor(aPastDay() / DAY) * DAY, end: 0 };
      period.end = period.start + DAY;
      const { items } = await call("trips_and_stops", {
        ...{ period: new Date(period.start).toISOString().slice(0, 10), where: "kind=stop", limit: 500 },
        fields: "vehicle,kind,start,end,remark",
      });
      const wrong = items.find((row: Record<"vehicle" | "start" | "end" | "remark", string | undefined>) => {
        const id = vehicles.find(({ name }) => name === row.vehicle)?.id ?? "";
        const [start, end] = [Date.parse(row.start ?? ""), row.end ? Date.parse(row.end) : NOW];
        const middle = (Math.max(start, period.start) + Math.min(end, period.end)) / 2;
        const { left = NOW, came } = around(id, middle);
        const isCut = { start: /beg[au]n earlier/.test(row.remark ?? ""), end: row.remark?.includes("ended later") };
        const isStart = came === undefined || isSameTime(came, start) || (isCut.start && came < start);
        return !isUnrecorded(id, { start, end }) && !(isStart && (isSameTime(left, end) || (isCut.end && left > end)));
      });
      return wrong ? `${new Date(period.start).toISOString()}: ${JSON.stringify(wrong)}` : undefined;
    },
  };
}

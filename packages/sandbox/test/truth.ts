import { LIMITS } from "@fleetwire/driving-time";
import { dayOf, daysPerDate, LONGEST_REST_DAYS, oddityOn, planDay, type Spell } from "../src/simulation/day-plan.ts";
import { createFleet } from "../src/simulation/fleet.ts";
import { type Oddity, oddMs } from "../src/simulation/oddities.ts";
import { driverOn, driversOf, type Vehicle } from "../src/simulation/roster.ts";
import type { Site } from "../src/simulation/sites.ts";
import { sentShift } from "../src/simulation/tacho-days.ts";
import { doingAt, whereaboutsDuring } from "../src/simulation/whereabouts.ts";

/** Something unusual that was planted. Times are epoch ms, of the shift, the week or the instant. */
export interface PlantedFact {
  readonly kind: Oddity | "team";
  readonly vehicleId: string;
  readonly driverId: string;
  readonly start: number;
  readonly end: number;
}

export interface TrueVehicle {
  readonly id: string;
  readonly name: string;
  readonly registration: string;
  readonly hasTachograph: boolean;
}

/** Where a vehicle stands or starts and ends its trips; `location` is the name of a point of interest. */
const placeOf = ({ latitude, longitude, place, location }: Site) => ({
  ...{ latitude, longitude, town: place.name, location: location?.name },
});

function* drivesBetween({ duty }: Vehicle, from: number, to: number, moreDays = 1): Generator<Spell> {
  const more = moreDays * daysPerDate(duty);
  for (let day = dayOf(duty, from) - more; day <= dayOf(duty, to) + more; day++)
    for (const spell of planDay(duty, day)) if (spell.kind === "drive") yield spell;
}

function tripsOf(vehicle: Vehicle, from: number, to: number) {
  const drives = [...drivesBetween(vehicle, from, to)].filter(({ start, end }) => start < to && end > from);
  return drives.map(({ start, end, leg, ...spell }) => {
    const driverId = driverOn(vehicle, spell)?.id;
    return { start, end, from: placeOf(leg.from), to: placeOf(leg.to), km: leg.km, driverId, isPrivate: leg.isPrivate };
  });
}

function stopsOf(vehicle: Vehicle, from: number, to: number) {
  const drives = [...drivesBetween(vehicle, from, to, LONGEST_REST_DAYS)];
  return drives.slice(1).flatMap((drive, at) => {
    const { end: start, leg } = drives[at] as Spell;
    return start < to && drive.start > from ? [{ start, end: drive.start, at: placeOf(leg.to) }] : [];
  });
}

/** The most driving of a shift without a full break. */
function longestDrivingMs(spells: readonly Spell[]): number {
  let [longest, drivenMs] = [0, 0];
  for (const { kind, start, end } of spells) {
    if (kind === "break" && end - start >= LIMITS.fullBreak) drivenMs = 0;
    if (kind === "drive") drivenMs += end - start;
    longest = Math.max(longest, drivenMs);
  }
  return longest;
}

/** What happens on one day of a vehicle with its driver. */
function factsOn(vehicle: Vehicle, day: number): PlantedFact[] {
  const spells = planDay(vehicle.duty, day);
  const [first, last] = [spells[0], spells.at(-1)];
  if (!first || !last) return [];
  type Time = Pick<PlantedFact, "start" | "end">;
  const fact = (
    kind: PlantedFact["kind"],
    driverId: string,
    { start, end }: Time = { start: first.start, end: last.end },
  ): PlantedFact => ({
    ...{ kind, vehicleId: vehicle.id, driverId, start, end },
  });
  const idAt = (wheel: number) => driverOn(vehicle, { day, wheel })?.id ?? "";
  const oddity = oddityOn(vehicle.duty, day);
  const isLawful =
    (oddity === "longWait" && oddMs("longWait", vehicle.duty.seed, day) >= LIMITS.reducedDailyRest) ||
    (oddity === "lateBreak" && longestDrivingMs(spells) <= LIMITS.drivingBeforeBreak);
  const sent = driversOf(vehicle).flatMap((_, member) => {
    const { unrecorded, twice } = sentShift(vehicle, member, day);
    const [gap, gapEnd] = [unrecorded[0], unrecorded.at(-1)];
    return [
      ...(gap && gapEnd ? [fact("unrecorded", idAt(member), { start: gap.start, end: gapEnd.end })] : []),
      ...twice.map((entry) => fact("recordedTwice", idAt(member), entry)),
    ];
  });
  return [
    ...(oddity && !isLawful && idAt(0) ? [fact(oddity, idAt(0))] : []),
    ...(vehicle.duty.isTeam ? driversOf(vehicle).map(({ id }) => fact("team", id)) : []),
    ...sent,
  ];
}

/**
 * What the simulation knows about the first customer's fleet of a sandbox, of the rhythm "nonstop" since `start` or "week": every instant, not only
 * reports, and without the 20 m by which positions of vehicles at one place differ. Periods are of epoch ms; trips and stops that overlap one are uncut.
 */
export function truthOf(seed: number, vehicles: number, start?: number) {
  const fleet = createFleet(seed, 0, vehicles, start);
  const named = (id: string): Vehicle => {
    const vehicle = fleet.vehicle(id);
    if (!vehicle) throw new RangeError(`No vehicle has the id ${id}`);
    return vehicle;
  };
  const at = (id: string, instant: number) => {
    const vehicle = named(id);
    const doing = doingAt(vehicle.duty, instant);
    const { latitude, longitude, totalKm } = whereaboutsDuring(doing, instant);
    const [odometerKm, driverId] = [vehicle.odometerKm + totalKm, driverOn(vehicle, doing)?.id];
    return { latitude, longitude, odometerKm, driverId, isPrivate: doing.leg?.isPrivate === true };
  };
  return {
    vehicles: (): TrueVehicle[] =>
      [...fleet.vehicles()].map(({ id, name, registration, model }) => ({
        id,
        name,
        registration,
        hasTachograph: model.asset === "TRUCK",
      })),
    at,
    trips: (id: string, from: number, to: number) => tripsOf(named(id), from, to),
    stops: (id: string, from: number, to: number) => stopsOf(named(id), from, to),
    km: (id: string, from: number, to: number) => at(id, to).odometerKm - at(id, from).odometerKm,
    /** What was planted in a period, by time. */
    facts: (from: number, to: number): PlantedFact[] => {
      const trucks = [...fleet.vehicles()].filter(({ model }) => model.asset === "TRUCK");
      const found = trucks.flatMap((truck) => {
        const first = dayOf(truck.duty, from);
        return Array.from({ length: dayOf(truck.duty, to) - first + 1 }, (_, day) => factsOn(truck, first + day)).flat();
      });
      return found.filter(({ start: begin, end }) => begin < to && end >= from).sort((one, other) => one.start - other.start);
    },
  };
}

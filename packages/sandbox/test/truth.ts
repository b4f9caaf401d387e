import type { Point } from "@fleetwire/core/internal";
import { LIMITS } from "@fleetwire/driving-time";
import { dayOf, daysPerDate, LONGEST_REST_DAYS, oddityOn, planDay, type Spell } from "../src/simulation/day-plan.ts";
import { createFleet } from "../src/simulation/fleet.ts";
import { type Oddity, oddMs } from "../src/simulation/oddities.ts";
import { driverOn, driversOf, type Vehicle } from "../src/simulation/roster.ts";
import type { Site } from "../src/simulation/sites.ts";
import { sentShift } from "../src/simulation/tacho-days.ts";
import { doingAt, whereaboutsDuring } from "../src/simulation/whereabouts.ts";

/** Where a vehicle stands or starts and ends its trips; `location` is the name of a point of interest. */
interface TruePlace extends Point {
  readonly town: string;
  readonly country: string;
  readonly location: string | undefined;
}

/** What a vehicle does at an instant. */
interface TrueMoment extends Point {
  readonly isDriving: boolean;
  readonly kmPerHour: number;
  readonly odometerKm: number;
  readonly driverId: string | undefined;
  readonly isPrivate: boolean;
  readonly town: string;
  readonly country: string;
}

/** A trip from one stop to the next. Times are epoch ms. */
interface TrueTrip {
  readonly start: number;
  readonly end: number;
  readonly from: TruePlace;
  readonly to: TruePlace;
  readonly km: number;
  readonly driverId: string | undefined;
  readonly isPrivate: boolean;
}

/** The time that a vehicle stands between two trips. */
interface TrueStop {
  readonly start: number;
  readonly end: number;
  readonly at: TruePlace;
}

/** Something unusual that was planted. Times are epoch ms. */
export interface PlantedFact {
  readonly kind: Oddity | "team";
  readonly vehicleId: string;
  readonly driverId: string;
  /** The shift, the week or the instant. */
  readonly start: number;
  readonly end: number;
}

export interface TrueVehicle {
  readonly id: string;
  readonly name: string;
  readonly registration: string;
  readonly hasTachograph: boolean;
}

/**
 * What the simulation knows about its fleet: every instant, not only reports, and without the 20 m by which positions of vehicles at one place
 * differ. Periods are of epoch ms.
 */
interface Truth {
  readonly vehicles: () => TrueVehicle[];
  readonly at: (vehicleId: string, instant: number) => TrueMoment;
  /** Trips that overlap a period, uncut, in order. */
  readonly trips: (vehicleId: string, from: number, to: number) => TrueTrip[];
  /** Stops that overlap a period, uncut, in order. */
  readonly stops: (vehicleId: string, from: number, to: number) => TrueStop[];
  readonly km: (vehicleId: string, from: number, to: number) => number;
  /** What was planted in a period, by time. */
  readonly facts: (from: number, to: number) => PlantedFact[];
}

const placeOf = (site: Site): TruePlace => ({
  latitude: site.latitude,
  longitude: site.longitude,
  town: site.place.name,
  country: site.place.country,
  location: site.location?.name,
});

function* drivesBetween({ duty }: Vehicle, from: number, to: number, moreDays = 1): Generator<Spell> {
  const more = moreDays * daysPerDate(duty);
  for (let day = dayOf(duty, from) - more; day <= dayOf(duty, to) + more; day++)
    for (const spell of planDay(duty, day)) if (spell.kind === "drive") yield spell;
}

function tripsOf(vehicle: Vehicle, from: number, to: number): TrueTrip[] {
  return [...drivesBetween(vehicle, from, to)]
    .filter(({ start, end }) => start < to && end > from)
    .map((spell) => ({
      start: spell.start,
      end: spell.end,
      from: placeOf(spell.leg.from),
      to: placeOf(spell.leg.to),
      km: spell.leg.km,
      driverId: driverOn(vehicle, spell)?.id,
      isPrivate: spell.leg.isPrivate,
    }));
}

function stopsOf(vehicle: Vehicle, from: number, to: number): TrueStop[] {
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
  const fact = (kind: PlantedFact["kind"], driverId: string | undefined): PlantedFact[] =>
    driverId === undefined ? [] : [{ kind, vehicleId: vehicle.id, driverId, start: first.start, end: last.end }];
  const driverId = driverOn(vehicle, { day, wheel: 0 })?.id;
  const oddity = oddityOn(vehicle.duty, day);
  const isLawful =
    (oddity === "longWait" && oddMs("longWait", vehicle.duty.seed, day) >= LIMITS.reducedDailyRest) ||
    (oddity === "lateBreak" && longestDrivingMs(spells) <= LIMITS.drivingBeforeBreak);
  return [
    ...(oddity && !isLawful ? fact(oddity, driverId) : []),
    ...(vehicle.duty.isTeam ? driversOf(vehicle).flatMap(({ id }) => fact("team", id)) : []),
    ...driversOf(vehicle).flatMap((_, member) => {
      const { unrecorded, twice } = sentShift(vehicle, member, day);
      const [id = ""] = [driverOn(vehicle, { day, wheel: member })?.id];
      const sent = (kind: PlantedFact["kind"], { start, end }: Pick<PlantedFact, "start" | "end">) => ({
        kind,
        vehicleId: vehicle.id,
        driverId: id,
        start,
        end,
      });
      const [gap, gapEnd] = [unrecorded[0], unrecorded.at(-1)];
      return [
        ...(gap && gapEnd ? [sent("unrecorded", { start: gap.start, end: gapEnd.end })] : []),
        ...twice.map((entry) => sent("recordedTwice", entry)),
      ];
    }),
  ];
}

/** The truth about the first customer's fleet of a sandbox: of the rhythm "nonstop" since `start`, in epoch ms, or "week". */
export function truthOf(seed: number, vehicles: number, start?: number): Truth {
  const fleet = createFleet(seed, 0, vehicles, start);
  const named = (id: string): Vehicle => {
    const vehicle = fleet.vehicle(id);
    if (!vehicle) throw new RangeError(`No vehicle has the id ${id}`);
    return vehicle;
  };
  const at = (id: string, instant: number): TrueMoment => {
    const vehicle = named(id);
    const doing = doingAt(vehicle.duty, instant);
    const { latitude, longitude, speed, totalKm, place } = whereaboutsDuring(doing, instant);
    return {
      latitude,
      longitude,
      isDriving: doing.kind === "drive",
      kmPerHour: speed,
      odometerKm: vehicle.odometerKm + totalKm,
      driverId: driverOn(vehicle, doing)?.id,
      isPrivate: doing.leg?.isPrivate === true,
      town: place.name,
      country: place.country,
    };
  };
  return {
    vehicles: () =>
      [...fleet.vehicles()].map(({ id, name, registration, model }) => ({
        id,
        name,
        registration,
        hasTachograph: model.asset === "TRUCK",
      })),
    at,
    trips: (id, from, to) => tripsOf(named(id), from, to),
    stops: (id, from, to) => stopsOf(named(id), from, to),
    km: (id, from, to) => at(id, to).odometerKm - at(id, from).odometerKm,
    facts: (from, to) => {
      const found: PlantedFact[] = [];
      for (const vehicle of fleet.vehicles()) {
        if (vehicle.model.asset !== "TRUCK") continue;
        for (let day = dayOf(vehicle.duty, from); day <= dayOf(vehicle.duty, to); day++) found.push(...factsOn(vehicle, day));
      }
      return found.filter(({ start, end }) => start < to && end >= from).sort((one, other) => one.start - other.start);
    },
  };
}

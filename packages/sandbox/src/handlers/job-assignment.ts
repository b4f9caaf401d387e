import type { Job } from "@fleetwire/core";
import type { Customer } from "../service/customers.ts";
import type { Driver } from "../simulation/people.ts";
import { driversOf, type Vehicle } from "../simulation/roster.ts";
import { driverAt } from "../simulation/vehicle-state.ts";

export type RefuseField = (field: keyof Job, message: string) => void;

/** The vehicle and driver assigned to a job. */
export interface Assignment {
  readonly vehicle: Vehicle | undefined;
  readonly driver: Driver | undefined;
}

function findVehicle(job: Job, { fleet }: Customer, refuse: RefuseField): Vehicle | undefined {
  const field = job.vehicleId === undefined ? "vehicleName" : "vehicleId";
  const given = job[field];
  if (given === undefined) return undefined;
  const vehicle = field === "vehicleId" ? fleet.vehicle(given) : fleet.vehicleNamed(given);
  if (!vehicle) refuse(field, "does not name an existing vehicle");
  else if (vehicle.soldAt !== undefined) refuse(field, "names a sold vehicle");
  return vehicle?.soldAt === undefined ? vehicle : undefined;
}

function findDriver(job: Job, { fleet }: Customer, refuse: RefuseField): Driver | undefined {
  const { personId, personName } = job;
  if (personId === undefined && personName === undefined) return undefined;
  const vehicle = personId === undefined ? undefined : fleet.vehicleOfDriver(personId);
  const found =
    personId === undefined ? fleet.driverNamed(personName ?? "") : vehicle && driversOf(vehicle).find(({ id }) => id === personId);
  if (!found) refuse(personId === undefined ? "personName" : "personId", "does not name an existing driver");
  return found;
}

/**
 * Applies the rules for personId, personName, vehicleId and vehicleName (interface 2.5): an id determines the name. A vehicle with a
 * default driver accepts no other driver; one without accepts any. Where drivers take turns, each of them is accepted, and the one who
 * has the vehicle is the default.
 */
export function assign(job: Job, customer: Customer, now: number, refuse: RefuseField): Assignment {
  const vehicle = findVehicle(job, customer, refuse);
  const requested = findDriver(job, customer, refuse);
  if (!vehicle || vehicle.isPool || vehicle.crewSize === 0) return { vehicle, driver: requested };
  if (!requested) return { vehicle, driver: driverAt(vehicle, now) };
  const driver = driversOf(vehicle).find(({ id, name }) => (job.personId === undefined ? name === job.personName : id === job.personId));
  if (!driver) refuse(job.personId === undefined ? "personName" : "personId", "is not the vehicle's default driver");
  return { vehicle, driver: driver ?? driverAt(vehicle, now) };
}

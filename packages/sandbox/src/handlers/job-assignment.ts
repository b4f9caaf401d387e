import type { Job } from "@fleetwire/core";
import type { Customer } from "../service/customers.ts";
import type { Vehicle } from "../simulation/roster.ts";

export type RefuseField = (field: keyof Job, message: string) => void;

/** The vehicle and driver assigned to a job. */
export interface Assignment {
  readonly vehicle: Vehicle | undefined;
  /** The assigned driver's vehicle. */
  readonly driverOf: Vehicle | undefined;
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

function findDriver(job: Job, { fleet }: Customer, refuse: RefuseField): Vehicle | undefined {
  const field = job.personId === undefined ? "personName" : "personId";
  const given = job[field];
  if (given === undefined) return undefined;
  const found = field === "personId" ? fleet.vehicleOfDriver(given) : fleet.vehicleOfDriverNamed(given);
  if (!found) refuse(field, "does not name an existing driver");
  return found;
}

/**
 * Applies the rules for personId, personName, vehicleId and vehicleName (interface 2.5): an id determines the name. A vehicle with a default driver
 * accepts no other; one without accepts any.
 */
export function assign(job: Job, customer: Customer, refuse: RefuseField): Assignment {
  const vehicle = findVehicle(job, customer, refuse);
  const requested = findDriver(job, customer, refuse);
  const defaultDriver = vehicle?.isPool ? undefined : vehicle?.driver;
  if (!vehicle || !defaultDriver) return { vehicle, driverOf: requested };
  const isOther = requested && (job.personId === undefined ? job.personName !== defaultDriver.name : job.personId !== defaultDriver.id);
  if (isOther) refuse(job.personId === undefined ? "personName" : "personId", "is not the vehicle's default driver");
  return { vehicle, driverOf: vehicle };
}

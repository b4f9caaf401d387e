import { type Job, type JobCreation, type JobError, operations } from "@fleetwire/core";
import { distanceKm } from "@fleetwire/core/internal";
import { type Call, type Customer, type Handler, writeInstant } from "../service/handler.ts";
import { JOB_TYPES } from "../service/job-store.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { checkInput, refuseFields } from "../service/request-input.ts";
import { addressNear, placeInAddress } from "../simulation/addresses.ts";
import type { Driver } from "../simulation/people.ts";
import { topic } from "../simulation/random.ts";
import { driversOf, type Vehicle } from "../simulation/roster.ts";
import { siteIn } from "../simulation/sites.ts";
import { driverAt, vehicleState } from "../simulation/vehicle-state.ts";

type RefuseField = (field: keyof Job, message: string) => void;

/** The vehicle and driver assigned to a job. */
interface Assignment {
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
function assign(job: Job, customer: Customer, now: number, refuse: RefuseField): Assignment {
  const vehicle = findVehicle(job, customer, refuse);
  const requested = findDriver(job, customer, refuse);
  if (!vehicle || vehicle.isPool || vehicle.crewSize === 0) return { vehicle, driver: requested };
  if (!requested) return { vehicle, driver: driverAt(vehicle, now) };
  const driver = driversOf(vehicle).find(({ id, name }) => (job.personId === undefined ? name === job.personName : id === job.personId));
  if (!driver) refuse(job.personId === undefined ? "personName" : "personId", "is not the vehicle's default driver");
  return { vehicle, driver: driver ?? driverAt(vehicle, now) };
}

const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

/** Finds a point for an address: in the town named in it, otherwise in the fleet's home town (chosen). */
function locate(address: string, { fleet }: Customer): { lat: number; lng: number } {
  const [vehicle] = fleet.vehicles();
  const place = placeInAddress(address) ?? vehicle?.home;
  if (!place) throw new RangeError("A fleet has at least one vehicle");
  const { latitude, longitude } = siteIn(place, "customer", topic(address));
  return { lat: rounded(latitude), lng: rounded(longitude) };
}

/** A job's place: coordinates are derived from the address, or the address from coordinates (interface 2.5). */
function jobPlace({ lat, lng, ...job }: Job, customer: Customer): Pick<Job, "address" | "lat" | "lng"> {
  const address = job.address?.trim();
  if (address) return { address, ...locate(address, customer) };
  return lat !== undefined && lng !== undefined ? { address: addressNear({ latitude: lat, longitude: lng }), lat, lng } : {};
}

/** The rules that depend only on the job itself, besides those in core (interface 2.5). */
function checkJob({ arrivalWindowStart: opens, arrivalWindowEnd: closes, ...job }: Job, refuse: RefuseField): void {
  if (opens !== undefined && closes !== undefined && closes < opens) refuse("arrivalWindowEnd", "must not be before arrivalWindowStart");
  if (job.resources?.some((file) => !file.name?.trim())) refuse("resources", "must have a name for each file");
  if (job.jobRadius !== undefined && job.jobRadius < 0) refuse("jobRadius", "must not be negative");
  const type = JOB_TYPES.find(({ id }) => id === job.jobTypeId);
  if (job.jobTypeId !== undefined && (!type || type.disabled)) refuse("jobTypeId", "does not name an existing job type");
}

const DEFAULT_RADIUS_METRES = 200;
/** Roads are longer than straight lines, and vehicles rarely drive at top speed. */
const DETOUR = 1.28;
const AVERAGE_SPEED = 62;

/** The statuses of a job to which nobody is still driving. */
const ENDED: ReadonlySet<string | undefined> = new Set(["VISITED", "CANCELLED"]);

/** When the vehicle could arrive, unless it is on a private journey or the job has ended. */
function arrival({ now }: Call, { vehicle }: Assignment, { lat, lng, status }: Job): Partial<Job> {
  if (!vehicle || lat === undefined || lng === undefined || ENDED.has(status)) return {};
  const { where, isPrivate } = vehicleState(vehicle, now);
  if (isPrivate) return {};
  const km = Math.round(distanceKm(where, { latitude: lat, longitude: lng }) * DETOUR * 10) / 10;
  return { eta: writeInstant(now + (km / AVERAGE_SPEED) * 3_600_000), etaDistanceKms: km, lastEtaCalcTime: writeInstant(now) };
}

/** Gives each file an upload URL that needs no credentials, and a download URL (chosen). */
function fileUrls({ customer, jobUrl, uploads }: Call, files: Job["resources"]): Partial<Job> {
  if (!files) return {};
  const resources = files.map(({ name, fileType }) => {
    const id = customer.jobs.nextId();
    uploads.open(id);
    const url = `${jobUrl}/uploads/${id}`;
    return { ...(name !== undefined && { name }), ...(fileType !== undefined && { fileType }), uploadUrl: url, presignedGetUrl: url };
  });
  return { resources };
}

function assignmentFields({ vehicle, driver }: Assignment): Partial<Job> {
  return {
    ...(vehicle && { vehicleId: vehicle.id, vehicleName: vehicle.name }),
    ...(driver && { personId: driver.id, personName: driver.name }),
  };
}

/** The status and history fields that the service sets. */
function historyFields({ customer, now }: Call, status: string, { personId, personName, vehicleName }: Partial<Job>): Partial<Job> {
  const date = writeInstant(now);
  const statusChangeId = customer.jobs.nextId();
  const assigned = {
    ...(personName !== undefined && { assignedPersonName: personName }),
    ...(vehicleName !== undefined && { assignedAssetName: vehicleName }),
  };
  return {
    status,
    statusLabel: status.charAt(0) + status.slice(1).toLowerCase().replaceAll("_", " "),
    statusChangeTimestamp: date,
    statusChangeId,
    statusHistory: [{ date, name: status, statusChangeId, ...(personId !== undefined && { personId }) }],
    jobHistory: [{ date, name: "CREATED", ...(personId !== undefined && { personId }), ...assigned }],
    lastServerTime: date,
  };
}

/** What is ignored in a request (chosen). */
const SET_BY_SERVICE = { jobId: undefined, statusHistory: undefined, jobHistory: undefined, jobType: undefined, lastServerTime: undefined };

/** Creates a job, or returns an error for each invalid field (interface 2.5, 2.6, 4.4). A rejection has status 200 and no job (chosen). */
export const createJob: Handler = (call) => {
  const { customer, duplicateJobs, sent } = call;
  // An empty number is generated too, although the client would not send it.
  const jobNumber = sent["jobNumber"] === "" ? undefined : sent["jobNumber"];
  const { valid, problems } = checkInput(operations.createJob, { ...sent, ...SET_BY_SERVICE, jobNumber });
  refuseFields(problems.filter(({ field }) => field === "override"));
  const { override: _, ...given } = valid as Job & typeof valid;
  const errors: JobError[] = [];
  const refuseField = (field: string, message: string) => {
    if (!errors.some((error) => error.field === field)) errors.push({ field, message });
  };
  for (const { field, message } of problems) {
    const [name = "", ...inside] = field.split(".");
    refuseField(name, inside.length > 0 ? `${inside.join(".")}: ${message}` : message);
  }
  checkJob(given, refuseField);
  const place = jobPlace(given, customer);
  const assignment = assign(given, customer, call.now, refuseField);
  const groupName = given.groupName ?? customer.groups.root.name;
  if (customer.groups.named(groupName) === undefined) refuseField("groupName", "does not name an existing group");
  const duplicate = given.jobNumber ? customer.jobs.numbered(given.jobNumber) : undefined;
  if (duplicate && duplicateJobs === "conflict") throw refuse(409, "duplicate", "Another job has this jobNumber", "jobNumber");
  if (duplicate && duplicateJobs === "refuse") refuseField("jobNumber", "is already used by another job");
  if (errors.length > 0) return jsonResponse({ errors } satisfies JobCreation);

  const assigned = assignmentFields(assignment);
  const type = JOB_TYPES.find(({ id }) => id === given.jobTypeId);
  const primaryResource = assignment.vehicle ? "VEHICLE" : assignment.driver ? "DRIVER" : undefined;
  const job = {
    jobRadius: DEFAULT_RADIUS_METRES,
    ...(primaryResource !== undefined && { primaryResource }),
    ...given,
    jobId: duplicate?.jobId ?? customer.jobs.nextId(),
    ...place,
    ...assigned,
    groupName,
    ...(given.linkingId === "" && { linkingId: customer.jobs.nextId() }),
    ...(type && { jobType: type }),
    ...fileUrls(call, given.resources),
    ...historyFields(call, given.status ?? (primaryResource ? "ASSIGNED" : "NEW"), assigned),
    ...arrival(call, assignment, { ...place, status: given.status }),
    jobNumber: given.jobNumber || customer.jobs.nextNumber(),
  } satisfies Job;
  customer.jobs.save(job);
  return jsonResponse({ job } satisfies JobCreation);
};

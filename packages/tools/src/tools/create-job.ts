import { FleetError, Job, JobRequest, metadataOf, operations } from "@fleetwire/core";
import { parseDateTime, parseInput } from "@fleetwire/core/internal";
import { DRIVERS, driverLabel, GROUPS, groupLabel, LABEL_LENGTH, VEHICLES, vehicleLabel } from "../fleet/entities.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { SOLD } from "../fleet/position.ts";
import { matchIn, requireMatch, soldRemark, unresolvedName } from "../lookup/find-entities.ts";
import { NameQuestion } from "../names/name-question.ts";
import { resolveName } from "../names/resolve-name.ts";
import { distanceKm, pointOf } from "../places/geography.ts";
import type { TownIndex } from "../places/town-index.ts";
import { townWords } from "../places/towns.ts";
import { recordResult, writeOutputSchema } from "../query/record-result.ts";
import { fieldTypes } from "../query/tool-input.ts";
import { quotation, singleLineOrUndefined } from "../text/clip-values.ts";
import { timesOf, type ZonedTimes } from "../text/time.ts";
import { writeTool } from "../writes/write-tool.ts";
import { changesNoJob, repeatedJobs } from "./create-job-repeats.ts";

type Arguments = Readonly<Record<string, unknown>>;

const NAMES = ["vehicleName", "personName", "groupName"] as const;

const refuse = (message: string, advice: string) => new FleetError("input", message, { advice });

/** Whether a name occurs only once: the service has nothing else to identify the entity by. */
const isUnique = (name: string | undefined, names: readonly (string | undefined)[]): name is string =>
  name !== undefined && name !== "" && names.filter((other) => other === name).length === 1;

/** Throws if an id is given beside a name, and is that of something else: it is not known which of them the service would follow. */
function requireSame([name, nameOf]: readonly [string, string], [field, id]: readonly [string, unknown], known: string | undefined): void {
  if (id === undefined || id === known) return;
  throw refuse(
    `${field} is not the id of ${quotation(nameOf)}, which ${name} names`,
    "Ask the user which is meant, and pass only one of them",
  );
}

async function exactVehicle(query: string, id: unknown, fleet: FleetView, context: FleetContext): Promise<string> {
  const naming = { ...VEHICLES, field: "vehicleName", exactOnly: true };
  const resolution = await resolveName(query, fleet.vehicles);
  const sold = await soldRemark(resolution, query, context);
  if (resolution.result !== "found" && sold.remark)
    throw new NameQuestion({ ...(await unresolvedName(resolution, query, naming)), ...sold });
  const { value } = await matchIn(resolution, query, naming);
  requireSame(["vehicleName", vehicleLabel(value)], ["vehicleId", id], value.assetId);
  const names = fleet.positions.map(({ assetName }) => assetName);
  if (isUnique(value.assetName, names)) return value.assetName;
  throw refuse(
    `vehicleName: ${quotation(vehicleLabel(value))} is not a unique name`,
    value.assetId === undefined ? "Tell the user" : `Pass vehicleId ${value.assetId} instead`,
  );
}

/** Identifies a driver by name, or by id if the name is not unique or is hidden, because the service does not know pseudonyms. */
async function exactPerson(query: string, id: unknown, fleet: FleetView, { settings }: FleetContext): Promise<Arguments> {
  const alternative = "For someone who is not driving now, pass personId.";
  const drivers = await fleet.drivers();
  const { value } = await requireMatch(query, drivers, { ...DRIVERS, field: "personName", exactOnly: true, alternative });
  requireSame(["personName", driverLabel(value)], ["personId", id], value.driverId);
  const names = [...drivers.entries()].map(({ value: { driverName } }) => driverName);
  if (settings.driverNames === "show" && isUnique(value.driverName, names)) return { personName: value.driverName };
  if (value.driverId !== undefined) return { personName: undefined, personId: value.driverId };
  throw refuse(`personName: the live positions have no id for ${quotation(driverLabel(value))}`, "Tell the user, or pass personId");
}

async function exactGroup(query: string, fleet: FleetView): Promise<string> {
  const groups = await fleet.groups();
  const { value } = await requireMatch(query, groups, { ...GROUPS, field: "groupName", exactOnly: true });
  const names = [...groups.entries()].map(({ value: { name } }) => name);
  if (isUnique(value.name, names)) return value.name;
  throw refuse(`groupName: ${quotation(groupLabel(value))} is not a unique name, and jobs do not accept a group id`, "Tell the user");
}

/**
 * Returns the names in a new job in the fleet's spelling, what could not be checked, and the fleet if it was read. An uncertain name becomes
 * a question with candidates. A group without vehicles and drivers does not occur in live positions, so its name is sent unchanged.
 */
async function checkedJobNames(
  args: Arguments,
  context: FleetContext,
): Promise<{ names: Arguments; unchecked: string[]; fleet?: FleetView }> {
  const given = NAMES.filter((field) => args[field] !== undefined);
  if (given.length === 0) return { names: {}, unchecked: [] };
  const { vehicleName, personName, groupName } = args as { [name in (typeof NAMES)[number]]?: string };
  const read = () => readFleet(context);
  // A pseudonym cannot be sent unchecked, because the service does not know it.
  const fleet = context.settings.driverNames === "hide" && personName !== undefined ? await read() : await ifReadable(read);
  if (!fleet) return { names: {}, unchecked: [`${given.join(", ")}: not checked, as the fleet could not be read.`] };
  const isGroup = groupName !== undefined && (await resolveName(groupName, await fleet.groups())).result !== "notFound";
  const names = {
    ...(vehicleName !== undefined && { vehicleName: await exactVehicle(vehicleName, args["vehicleId"], fleet, context) }),
    ...(personName !== undefined && (await exactPerson(personName, args["personId"], fleet, context))),
    ...(isGroup && { groupName: await exactGroup(groupName, fleet) }),
  };
  const isUnchecked = groupName !== undefined && !isGroup;
  const unchecked = isUnchecked ? ["groupName: no vehicle or driver is in a group with this name, so it was not checked."] : [];
  return { names, unchecked, fleet };
}

const INFERRED =
  "Inferred: an earlier attempt may have succeeded, because the service then rejected its new job number as taken. Only the number is known; look it up to see the job.";

/** Hosts send empty strings for missing values; the service might look for a vehicle with an empty name. */
const withoutEmpty = (args: object) => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== "" && value !== undefined));

export const createJob = writeTool(operations.createJob, {
  outputSchema: writeOutputSchema("job", fieldTypes(Job)),
  plan: async (args: Record<string, unknown>, context) => {
    // Without a time, the service would read the date as day first, while a model would mean month first.
    if (typeof args["scheduledStartDateTime"] === "string" && !args["scheduledStartDateTime"].includes("T")) {
      throw new FleetError("input", "scheduledStartDateTime: must include a time", {
        advice: "Pass date and time in UTC, such as 2026-11-20T08:30Z",
      });
    }
    const given = parseInput(operations.createJob, withoutEmpty(args));
    const { names, unchecked, fleet } = await checkedJobNames(given, context);
    // The fleet's spelling has not been validated yet.
    const input = parseInput(operations.createJob, withoutEmpty({ ...given, ...names }));
    const preview = async () => {
      // Ids need no check, so the fleet is read only if someone will see the names.
      const { vehicleId, personId } = input as { vehicleId?: string; personId?: string };
      const hasId = vehicleId !== undefined || personId !== undefined;
      const current = fleet ?? (hasId ? await ifReadable(() => readFleet(context)) : undefined);
      const isGone = current && vehicleId !== undefined && !current.positions.some(({ assetId }) => assetId === vehicleId);
      const shown = (isGone ? await ifReadable(() => readFleet(context, { withSold: true })) : undefined) ?? current;
      return [
        ...changesNoJob(input),
        ...(await repeatedJobs(input, shown?.positions ?? [], context)),
        ...Object.entries(input).map(([field, value]) => ({ field, value })),
        ...jobExplanation(input, shown, timesOf(context)),
        ...unchecked,
      ];
    };
    return { input, preview, unchecked: [...changesNoJob(input), ...unchecked] };
  },
  send: async (input, context, unchecked = []) => {
    const { fleet, settings, privacy, callOptions } = context;
    const { job = {}, errors = [], inferred } = await fleet.createJob(input, callOptions);
    const remarks = errors.map(({ field, message }) => `${field ?? "job"}: ${message ?? "no message"}`).join("; ");
    // The number comes first, because it identifies the job.
    const record = privacy.withSent(operations.createJob, { jobNumber: job.jobNumber, ...job }, input);
    const notes = [
      ...(inferred ? [INFERRED] : []),
      ...(input.lat === undefined ? await oddPlace(input.address, job, context.towns) : []),
      ...unchecked,
      ...(remarks === "" ? [] : [`The service remarked: ${quotation(privacy.text(remarks, input), 200)}`]),
    ];
    return {
      outcome: inferred ? "inferred" : "created",
      jobNumber: job.jobNumber ?? input.jobNumber,
      result: (remarks = []) =>
        recordResult("Job created.", "job", record, { times: timesOf(context) }, settings.maxResultTokens, [...remarks, ...notes]),
    };
  },
});

const instantFields = Object.entries(JobRequest.shape).flatMap(([field, schema]) =>
  metadataOf(schema)?.holds === "instant" ? [field] : [],
);

/** Says who gets the job, as far as is known before the service decides. Whoever approves it cannot know ids. */
function assignment({ vehicleId, vehicleName, personId, personName }: Arguments, fleet: FleetView | undefined): string {
  const unseen = fleet === undefined ? "" : " (not in the live positions)";
  const driver = personId === undefined ? undefined : fleet?.positions.find(({ driverId }) => driverId === personId);
  const person = driver ? driverLabel(driver) : `that driver${personId === undefined ? "" : unseen}`;
  const hasDriver = personId !== undefined || personName !== undefined;
  if (vehicleId === undefined && vehicleName === undefined) return hasDriver ? `Assigned to ${person}.` : "Assigned to nobody yet.";
  const isMeant = (id: unknown, name: unknown) => (vehicleId === undefined ? name === vehicleName : id === vehicleId);
  const vehicle = fleet?.positions.find(({ assetId, assetName }) => isMeant(assetId, assetName));
  const who = vehicle ? `${vehicleLabel(vehicle)}${vehicle.status === SOLD ? ", which is sold," : ""}` : `the vehicle${unseen}`;
  if (hasDriver) return `Assigned to ${who} and ${person}, who must be its default driver if it has one.`;
  const current = singleLineOrUndefined(vehicle?.driverName, LABEL_LENGTH);
  const now = current === undefined ? "" : ` (current driver: ${current}, perhaps not the default)`;
  return `Assigned to ${who} and its default driver, if it has one${now}.`;
}

/** Explains how the service will handle a new job: who gets it, when in the user's time zone, and what only the service can decide. */
function jobExplanation(job: Arguments, fleet: FleetView | undefined, times: ZonedTimes): string[] {
  const instants = instantFields.flatMap((field) => {
    const instant = parseDateTime(job[field]);
    if (instant === undefined) return [];
    return [`${field} is ${times.day(instant)} ${times.text(instant)} in ${times.zone}${instant < times.now ? ", in the past" : ""}.`];
  });
  const [start, end] = [parseDateTime(job["arrivalWindowStart"]), parseDateTime(job["arrivalWindowEnd"])];
  return [
    assignment(job, fleet),
    ...(job["groupName"] === undefined ? ["Group: root, since none is given."] : []),
    ...instants,
    // The interface does not say whether the service rejects this.
    ...(start !== undefined && end !== undefined && end < start
      ? ["The arrival window ends before it starts: ask the user which is meant."]
      : []),
    job["lat"] === undefined
      ? "The address is not checked; the service geocodes it."
      : "The point is not checked; the service finds its address unless one is given.",
  ];
}

/** How far an address may be from the centre of its town: a village is 5 km wide each way, Lyon 12, London 32. */
const reachOf = (population: number) => 5 + Math.sqrt(population) / 100;
/** Streets and hamlets share names with small towns elsewhere. */
const MIN_POPULATION = 10_000;

/** Returns the towns named in the last part of an address that names any: "Quai Perrache 10, 69002 Lyon, France". */
function townsIn(address: string, index: TownIndex) {
  for (const part of address.split(",").reverse()) {
    const words = townWords(part.replace(/\S*\d\S*/g, " "));
    const towns = index.named(words).filter(({ town, isWhole }) => isWhole && town.population >= MIN_POPULATION);
    if (towns.length > 0) return towns.map(({ town }) => town);
  }
  return [];
}

/** Says if the point that the service found for an address is far from the town that the address names. */
async function oddPlace(
  address: string | undefined,
  { lat, lng }: Job,
  loadTowns: () => Promise<TownIndex | undefined>,
): Promise<string[]> {
  const point = pointOf({ latitude: lat, longitude: lng });
  if (address === undefined || !point) return [];
  // The job exists, so a failed comparison must not fail the call.
  const index = await loadTowns().catch(() => undefined);
  const [nearest] = (index ? townsIn(address, index) : [])
    .map(({ name, population, ...town }) => ({ name, km: distanceKm(town, point), reach: reachOf(population) }))
    .sort((a, b) => a.km - a.reach - (b.km - b.reach));
  if (!nearest || nearest.km <= nearest.reach) return [];
  return [`The service placed the address ${Math.round(nearest.km)} km from ${nearest.name}: tell the user, and check it.`];
}

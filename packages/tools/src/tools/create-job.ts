import { FleetError, Job, JobRequest, metadataOf, operations } from "@fleetwire/core";
import { parseDateTime, parseInput } from "@fleetwire/core/internal";
import { driverLabel, LABEL_LENGTH, vehicleLabel } from "../fleet/entities.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { SOLD } from "../fleet/position.ts";
import { distanceKm, pointOf } from "../places/geography.ts";
import type { TownIndex } from "../places/town-index.ts";
import { townWords } from "../places/towns.ts";
import { recordResult, writeOutputSchema } from "../query/record-result.ts";
import { fieldTypes } from "../query/tool-input.ts";
import { quotation, singleLineOrUndefined } from "../text/clip-values.ts";
import { timesOf, type ZonedTimes } from "../text/time.ts";
import { writeTool } from "../writes/operation-write.ts";
import { checkedJobNames } from "./create-job-names.ts";
import { changesNoJob, repeatedJobs } from "./create-job-repeats.ts";

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

type Input = Readonly<Record<string, unknown>>;

const instantFields = Object.entries(JobRequest.shape).flatMap(([field, schema]) =>
  metadataOf(schema)?.holds === "instant" ? [field] : [],
);

/** Says who gets the job, as far as is known before the service decides. Whoever approves it cannot know ids. */
function assignment({ vehicleId, vehicleName, personId, personName }: Input, fleet: FleetView | undefined): string {
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
function jobExplanation(job: Input, fleet: FleetView | undefined, times: ZonedTimes): string[] {
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

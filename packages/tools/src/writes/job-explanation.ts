import { JobRequest, metadataOf, parseDateTime } from "@fleetwire/core";
import type { FleetView } from "../fleet/fleet-view.ts";
import { LABEL_LENGTH, vehicleLabel } from "../names/labels.ts";
import { singleLineOrUndefined } from "../results/clip-values.ts";
import type { ZonedTimes } from "../results/time.ts";

type Job = Readonly<Record<string, unknown>>;

const instantFields = Object.entries(JobRequest.shape).flatMap(([field, schema]) =>
  metadataOf(schema)?.holds === "instant" ? [field] : [],
);

/** Says who gets the job, as far as is known before the service decides. */
function assignment({ vehicleId, vehicleName, personId, personName }: Job, fleet: FleetView | undefined): string {
  if (vehicleId === undefined && vehicleName === undefined) {
    return personId === undefined && personName === undefined ? "Assigned to nobody yet." : "Assigned to that driver.";
  }
  const isNamed = (id: unknown, name: unknown) => (vehicleId === undefined ? name === vehicleName : id === vehicleId);
  const vehicle = fleet?.positions.find(({ assetId, assetName }) => isNamed(assetId, assetName));
  const driver = singleLineOrUndefined(vehicle?.driverName, LABEL_LENGTH);
  const who = vehicle ? vehicleLabel(vehicle) : "the vehicle";
  const now = driver === undefined ? "" : ` (current driver: ${driver}, perhaps not the default)`;
  return personId === undefined && personName === undefined
    ? `Assigned to ${who} and its default driver, if it has one${now}.`
    : `Assigned to ${who} and that driver, who must be its default driver if it has one.`;
}

/** The interface does not say whether the service rejects this. */
function endsBeforeItStarts({ arrivalWindowStart, arrivalWindowEnd }: Job): boolean {
  const [start, end] = [parseDateTime(arrivalWindowStart), parseDateTime(arrivalWindowEnd)];
  return start !== undefined && end !== undefined && end < start;
}

/** Explains how the service will handle a new job: who gets it, when in the user's time zone, and what only the service can decide. */
export function jobExplanation(job: Job, fleet: FleetView | undefined, times: ZonedTimes): string[] {
  const instants = instantFields.flatMap((field) => {
    const instant = parseDateTime(job[field]);
    return instant === undefined ? [] : [`${field} is ${times.day(instant)} ${times.text(instant)} in ${times.zone}.`];
  });
  return [
    assignment(job, fleet),
    ...(job["groupName"] === undefined ? ["Group: root, since none is given."] : []),
    ...instants,
    ...(endsBeforeItStarts(job) ? ["The arrival window ends before it starts: ask the user which is meant."] : []),
    job["lat"] === undefined
      ? "The address is not checked; the service geocodes it."
      : "The point is not checked; the service finds its address unless one is given.",
  ];
}

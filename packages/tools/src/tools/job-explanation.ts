import { JobRequest, metadataOf } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { driverLabel, LABEL_LENGTH, vehicleLabel } from "../fleet/entity-labels.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { SOLD } from "../fleet/position.ts";
import { singleLineOrUndefined } from "../text/clip-values.ts";
import type { ZonedTimes } from "../text/time.ts";

type Job = Readonly<Record<string, unknown>>;

const instantFields = Object.entries(JobRequest.shape).flatMap(([field, schema]) =>
  metadataOf(schema)?.holds === "instant" ? [field] : [],
);

/** Names what an id stands for, because whoever approves the job cannot know ids. */
const named = (label: string | undefined, noun: string, isUnseen: boolean) =>
  label ?? (isUnseen ? `${noun} (not in the live positions)` : noun);

/** Says who gets the job, as far as is known before the service decides. */
function assignment({ vehicleId, vehicleName, personId, personName }: Job, fleet: FleetView | undefined): string {
  const driver = personId === undefined ? undefined : fleet?.positions.find(({ driverId }) => driverId === personId);
  const person = named(driver && driverLabel(driver), "that driver", fleet !== undefined && personId !== undefined);
  const hasDriver = personId !== undefined || personName !== undefined;
  if (vehicleId === undefined && vehicleName === undefined) return hasDriver ? `Assigned to ${person}.` : "Assigned to nobody yet.";
  const isGiven = (id: unknown, name: unknown) => (vehicleId === undefined ? name === vehicleName : id === vehicleId);
  const vehicle = fleet?.positions.find(({ assetId, assetName }) => isGiven(assetId, assetName));
  const label = vehicle && `${vehicleLabel(vehicle)}${vehicle.status === SOLD ? ", which is sold," : ""}`;
  const who = named(label, "the vehicle", fleet !== undefined);
  if (hasDriver) return `Assigned to ${who} and ${person}, who must be its default driver if it has one.`;
  const current = singleLineOrUndefined(vehicle?.driverName, LABEL_LENGTH);
  const now = current === undefined ? "" : ` (current driver: ${current}, perhaps not the default)`;
  return `Assigned to ${who} and its default driver, if it has one${now}.`;
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
    if (instant === undefined) return [];
    return [`${field} is ${times.day(instant)} ${times.text(instant)} in ${times.zone}${instant < times.now ? ", in the past" : ""}.`];
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

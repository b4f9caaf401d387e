import type { Job } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { nameOf } from "@fleetwire/map";
import { byId, jobs, positions } from "./console-state.ts";
import { dateAndTime, timeSpan } from "./durations.ts";
import { select } from "./fleet-filters.ts";

type ConsoleJob = Extract<NonNullable<typeof jobs.value>, { value: unknown }>["value"][number];

const words = (status: string) => status.toLowerCase().replaceAll("_", " ");

/** The statuses that a job goes through; any other ends it early. */
const STEPS = ["NEW", "ASSIGNED", "RECEIVED", "ACCEPTED", "IN_PROGRESS", "VISITED"] as const satisfies readonly NonNullable<
  Job["status"]
>[];

function JobStatus({ status = "$UNKNOWN" }: { status: string | undefined }) {
  const step = (STEPS as readonly string[]).indexOf(status);
  const kind = status === "VISITED" ? "done" : step >= STEPS.indexOf("IN_PROGRESS") ? "active" : step >= 0 ? "waiting" : "ended";
  return (
    <span class={`pill ${kind}`}>
      <bdi>{words(status)}</bdi>
    </span>
  );
}

function vehicleOf({ vehicleId, vehicleName }: ConsoleJob) {
  const known = vehicleId === undefined ? undefined : byId.value.get(vehicleId);
  return known ?? positions.value.find(({ assetName }) => vehicleName !== undefined && assetName === vehicleName);
}

/** When a job is due: its arrival window, otherwise its scheduled start, and when its vehicle is expected. */
function timesOf({ arrivalWindowStart, arrivalWindowEnd, scheduledStartDateTime, eta }: ConsoleJob): string[] {
  const [from, to] = [parseDateTime(arrivalWindowStart), parseDateTime(arrivalWindowEnd)];
  const [start, expected] = [parseDateTime(scheduledStartDateTime), parseDateTime(eta)];
  const planned =
    from !== undefined
      ? `Arrival ${timeSpan(from, to)}`
      : to !== undefined
        ? `Arrival until ${dateAndTime(to)}`
        : start !== undefined && `Start ${dateAndTime(start)}`;
  const times = [planned, expected !== undefined && `ETA ${dateAndTime(expected)}`].filter((time) => typeof time === "string");
  return times.length > 0 ? times : ["No time set"];
}

function JobItem({ job, showsVehicle }: { job: ConsoleJob; showsVehicle: boolean }) {
  const { jobNumber, jobTitle, address, vehicleName, status } = job;
  const vehicle = showsVehicle ? vehicleOf(job) : undefined;
  return (
    <li class="job">
      <span class="job-title">
        <bdi>{jobTitle || "Untitled job"}</bdi> {jobNumber && <small>{jobNumber}</small>}
      </span>
      <JobStatus status={status} />
      {address && (
        <span class="job-line">
          <bdi>{address}</bdi>
        </span>
      )}
      {timesOf(job).map((time) => (
        <span key={time} class="job-line">
          {time}
        </span>
      ))}
      {showsVehicle && (vehicle || vehicleName) && (
        <span class="job-line">
          {vehicle ? (
            <button type="button" class="link" onClick={() => select(vehicle.assetId)}>
              <bdi>{nameOf(vehicle)}</bdi>
            </button>
          ) : (
            <bdi>{vehicleName}</bdi>
          )}
        </span>
      )}
    </li>
  );
}

/** The jobs of the fleet, or those of one vehicle. */
export function JobList({ vehicleId }: { vehicleId?: string | undefined }) {
  const section = jobs.value;
  if (!section) return <p class="none">Reading the jobs …</p>;
  if ("problem" in section) return <p class="problem">{section.problem}</p>;
  const shown = vehicleId === undefined ? section.value : section.value.filter((job) => vehicleOf(job)?.assetId === vehicleId);
  if (shown.length === 0) return <p class="none">No jobs.</p>;
  return (
    <ul class="jobs">
      {shown.map((job, at) => (
        <JobItem key={job.jobId ?? job.jobNumber ?? at} job={job} showsVehicle={vehicleId === undefined} />
      ))}
    </ul>
  );
}

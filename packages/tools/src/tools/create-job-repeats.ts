import { operations } from "@fleetwire/core";
import { isRecord, parseDateTime } from "@fleetwire/core/internal";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable } from "../fleet/fleet-reader.ts";
import type { Position } from "../fleet/position.ts";
import { distanceKm, type Point, pointOf } from "../places/geography.ts";
import { readRecords } from "../query/read-records.ts";
import { deadlineErrorOf, withDeadline } from "../runtime/call-deadline.ts";
import { singleLine } from "../text/clip-values.ts";
import { compact, fold, isNumber, plainSounds, rawWords } from "../text/spelling.ts";

type Job = Readonly<Record<string, unknown>>;

/** Statuses of jobs that nobody has worked on. */
const OPEN = ["NEW", "ASSIGNED"];
/** Points this close are one place. */
const SAME_PLACE_KM = 0.1;
const MAX_NAMED = 3;
/** Milliseconds for which a preview waits for the list. */
const MAX_WAIT = 5_000;

const STREETS: Readonly<Record<string, string>> = { street: "st", road: "rd", avenue: "ave" };

/** The words of an address, with streets abbreviated. */
const addressWords = (address: unknown): string[] =>
  typeof address === "string"
    ? rawWords(fold(address)).map((word) => plainSounds(STREETS[word] ?? word.replace(/str(?:asse)?$/, "str")))
    : [];

/** Postcodes have more digits. */
const isHouseNumber = (word: string) => isNumber(word) && word.length <= 3;

const holds = (words: readonly string[], others: readonly string[]) => others.every((word) => words.includes(word));

/** Whether two addresses are the same, though one may lack parts such as the country; undefined if they cannot be compared. */
function isSameAddress(a: Job, b: Job): boolean | undefined {
  const [shorter = [], longer = []] = [a, b].map(({ address }) => addressWords(address)).sort((one, other) => one.length - other.length);
  const isPart = shorter.length >= 3 || (shorter.length > 0 && shorter.length === longer.length);
  if (!isPart || shorter.some((word) => !isNumber(word) && !longer.includes(word))) return undefined;
  return holds(longer, shorter) && holds(shorter, longer.filter(isHouseNumber));
}

function isSamePlace(a: Job, b: Job): boolean {
  const [one, other] = [a, b].map(({ lat, lng, latitude = lat, longitude = lng }) => pointOf({ latitude, longitude } as Partial<Point>));
  return isSameAddress(a, b) ?? (one !== undefined && other !== undefined && distanceKm(one, other) <= SAME_PLACE_KM);
}

/** Whether two values are the same; undefined if either is missing. */
const same = <Value>(of: (job: Job) => Value | undefined, a: Job, b: Job): boolean | undefined => {
  const [one, other] = [of(a), of(b)];
  return one === undefined || other === undefined ? undefined : one === other;
};

/** Whether the windows of two jobs overlap, or the scheduled start of one lies in that of the other; undefined if either has no time. */
function isSameTime(a: Job, b: Job): boolean | undefined {
  const [one, other] = [a, b].map((job) => {
    const [from, until] = [parseDateTime(job["arrivalWindowStart"]), parseDateTime(job["arrivalWindowEnd"])];
    const start = from ?? parseDateTime(job["scheduledStartDateTime"]);
    return start === undefined ? undefined : { start, end: from === undefined ? start : (until ?? start) };
  });
  if (!one || !other) return undefined;
  return one.start === other.start || (one.start < other.end && other.start < one.end);
}

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? compact(value) : undefined);

/** Whether a job is at the same place, and neither its time nor who drives there is another one. */
function isRepeated(a: Job, b: Job, nameOf: (vehicleId: unknown) => string | undefined): boolean {
  if (!isSamePlace(a, b)) return false;
  const vehicle =
    same((job) => textOf(job["vehicleId"]), a, b) ?? same((job) => textOf(job["vehicleName"] ?? nameOf(job["vehicleId"])), a, b);
  const who = vehicle ?? same((job) => textOf(job["personId"]), a, b) ?? same((job) => textOf(job["personName"]), a, b);
  const time = isSameTime(a, b);
  return (time ?? who ?? false) && (who ?? true);
}

/** Says if somebody may think that a new job changes an existing one: the interface can neither change nor cancel jobs. */
export function changesNoJob({ status }: Job): string[] {
  if (typeof status !== "string" || OPEN.includes(status)) return [];
  return [`Creates a new job that is ${status} from the start. It changes and cancels no existing job: the interface offers neither.`];
}

/** The jobs in a response: its records, or those of all its lists. */
const jobsIn = (records: readonly Job[]): Job[] =>
  records.flatMap((record) => [record, ...Object.values(record).flatMap((value) => (Array.isArray(value) ? value.filter(isRecord) : []))]);

/** Names listed jobs that a new one repeats. Says nothing if the jobs cannot be read, or not in time. */
export async function repeatedJobs(job: Job, positions: readonly Position[], context: FleetContext): Promise<string[]> {
  const { callOptions } = context;
  const read = (signal: AbortSignal) => {
    const reading = readRecords(operations.listJobs, {}, ["job", "jobs"], { ...context, callOptions: { ...callOptions, signal } });
    return reading.catch((error: unknown) => Promise.reject(deadlineErrorOf(error, signal)));
  };
  const listed = await ifReadable(() => withDeadline(MAX_WAIT, callOptions.signal, read));
  if (!listed) return [];
  const nameOf = (id: unknown) => (id === undefined ? undefined : positions.find(({ assetId }) => assetId === id)?.assetName);
  const repeated = jobsIn(listed.records).filter((one) => isRepeated(job, one, nameOf));
  const unread = listed.more ? [`The service lists more jobs than the ${listed.records.length} that this one was compared with.`] : [];
  if (repeated.length === 0) return unread;
  const named = repeated.slice(0, MAX_NAMED).map(({ jobNumber, jobId, id, key, status }) => {
    const name = singleLine(String(jobNumber ?? jobId ?? id ?? key ?? "without a number"), 60);
    return typeof status === "string" ? `${name} (${singleLine(status, 30)})` : name;
  });
  const more = repeated.length > MAX_NAMED ? ` and ${repeated.length - MAX_NAMED} more` : "";
  return [`Same place, time or vehicle as the existing job ${named.join(", ")}${more}, which stays as it is.`, ...unread];
}

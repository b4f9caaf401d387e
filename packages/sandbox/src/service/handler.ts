import type { Fleet } from "../simulation/fleet.ts";
import type { TokenIssuer } from "./credentials.ts";
import type { GroupStore } from "./group-store.ts";
import type { JobStore, UploadStore } from "./job-store.ts";

/** A customer of the service: its fleet, and everything written through the interface. */
export interface Customer {
  readonly ordinal: number;
  readonly id: string;
  readonly fleet: Fleet;
  readonly groups: GroupStore;
  readonly jobs: JobStore;
}

/** An authenticated request and everything else that a handler may use. */
export interface Call {
  readonly customer: Customer;
  /** The input fields as they were sent, unchecked: see `validInput`. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** The time of the request in epoch ms. */
  readonly now: number;
  readonly tokens: TokenIssuer;
  readonly uploads: UploadStore;
  /** What happens to a second job with the same number, which is undocumented (interface 2.5, jobNumber). */
  readonly duplicateJobs: "refuse" | "overwrite" | "conflict";
  /** The job server's URL, as used by the caller. */
  readonly jobUrl: string;
}

export type Handler = (call: Call) => Response;

const DAY_MS = 86_400_000;
const MAX_DAYS = 1000;
const days = new Map<number, string>();
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

/** The date of a day since the epoch. A list has few different ones, and `toISOString` is slow. */
function writeDay(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size >= MAX_DAYS) days.clear();
  const text = new Date(day * DAY_MS).toISOString().slice(0, -"00:00:00.000Z".length);
  days.set(day, text);
  return text;
}

/** Formats an instant as UTC with a Z, to the second. */
export function writeInstant(at: number): string {
  const day = Math.floor(at / DAY_MS);
  const seconds = Math.floor((at - day * DAY_MS) / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${writeDay(day)}${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}Z`;
}

import type { Fleet } from "../simulation/fleet.ts";
import type { Authenticator } from "./credentials.ts";
import type { groupStore } from "./group-store.ts";
import type { jobStore, uploadStore } from "./job-store.ts";

/** A customer of the service: its fleet, and everything written through the interface. */
export interface Customer {
  readonly ordinal: number;
  readonly id: string;
  readonly fleet: Fleet;
  readonly groups: ReturnType<typeof groupStore>;
  readonly jobs: ReturnType<typeof jobStore>;
}

/** An authenticated request and everything else that a handler may use. */
export interface Call {
  readonly customer: Customer;
  /** The input fields as they were sent, unchecked: see `validInput`. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** The time of the request in epoch ms. */
  readonly now: number;
  readonly tokens: Authenticator["tokens"];
  readonly uploads: ReturnType<typeof uploadStore>;
  /** What happens to a second job with the same number, which is undocumented (interface 2.5, jobNumber). */
  readonly duplicateJobs: "refuse" | "overwrite" | "conflict";
  /** The job server's URL, as used by the caller. */
  readonly jobUrl: string;
}

export type Handler = (call: Call) => Response;

const DAY_MS = 86_400_000;
const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
let latest = { day: Number.NaN, text: "" };

/** Formats an instant as UTC with a Z, to the second. Most of a list are of one day, and `toISOString` is slow. */
export function writeInstant(at: number): string {
  const day = Math.floor(at / DAY_MS);
  if (day !== latest.day) latest = { day, text: new Date(day * DAY_MS).toISOString().slice(0, -"00:00:00.000Z".length) };
  const seconds = Math.floor((at - day * DAY_MS) / 1000);
  return `${latest.text}${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}Z`;
}

// What the page reads besides the fleet.
import type { WatchEvent } from "@fleetwire/tools/watch";

/** A request to the service. */
export interface ConsoleRequest {
  /** Counts from 1. */
  readonly id: number;
  /** When it ended, in epoch ms. */
  readonly at: number;
  /** Name of the operation; undefined for a path without one. */
  readonly operation: string | undefined;
  /** Without the query. */
  readonly path?: string;
  /** 0 if there was no complete response. */
  readonly status: number;
  /** Why there was no complete response, in one word. */
  readonly failure?: string | undefined;
  readonly ms: number;
  /** Name of the client that sent it, if there are several. */
  readonly client?: string | undefined;
}

/** What the page shows and can change; read once. */
export interface ConsoleAbout {
  /** Whether the fleet is made up. */
  readonly kind: "sandbox" | "fleet";
  /** Who is signed in; absent on this machine. */
  readonly account?: { readonly name: string; readonly customer?: string };
  /** Milliseconds between two reads of the fleet. */
  readonly refreshMs: number;
  /** Every fault that a sandbox can inject, with its effect. */
  readonly faults?: Readonly<Record<string, string>>;
  /** The names of the operations, to which faults can be limited. */
  readonly operations?: readonly string[];
}

/** What changes constantly, apart from the fleet. */
export interface ConsoleStatus {
  /** The service's time in epoch ms. */
  readonly now: number;
  /** How fast its clock runs; absent if it cannot be set. */
  readonly speed?: number;
  /** Faults that a sandbox injects, as in `--faults`. */
  readonly faults?: string;
  /** The groups, the root without a parent, if known; otherwise empty, and the page shows the groups that vehicles name. */
  readonly groups: readonly { readonly id: string; readonly name: string; readonly parentId?: string | undefined }[];
  /** The latest requests, oldest first. */
  readonly requests: readonly ConsoleRequest[];
}

/** What the page shows of an event. */
export type ConsoleEvent = Pick<WatchEvent, "id" | "rule" | "when" | "text" | "vehicle" | "at" | "late">;

/** What has happened as the rules say. */
export interface ConsoleEvents {
  /** When the rules were first understood, in epoch ms; undefined if they have not been yet. */
  readonly since?: number | undefined;
  /** Why the rules, or those of the changed file, are not watched. */
  readonly problem?: string | undefined;
  readonly ruleCount: number;
  /** The first of them, in words. */
  readonly rules: readonly string[];
  /** The latest events, oldest first. */
  readonly events: readonly ConsoleEvent[];
}

import type { FleetError, FleetErrorCode } from "@fleetwire/core";

/** Failures that end by themselves. */
const TRANSIENT: ReadonlySet<FleetErrorCode> = new Set(["network", "timeout", "upstream", "rateLimited"]);

export const isTransient = (error: FleetError): boolean => TRANSIENT.has(error.code);

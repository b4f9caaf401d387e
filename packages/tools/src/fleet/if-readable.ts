import { FleetError } from "@fleetwire/core";

/** Reads what a result can do without: returns undefined if the service fails, but not if the caller cancels. */
export async function ifReadable<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof FleetError) || error.code === "aborted") throw error;
    return undefined;
  }
}

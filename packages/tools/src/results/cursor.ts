import { FleetError } from "@fleetwire/core";
import type * as z from "zod";

/** Writes where a list goes on; it holds the place itself, so the server keeps nothing. */
export function writeCursor(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Reads a cursor back, or refuses it. */
export function readCursor<Place>(cursor: string | undefined, shape: z.ZodType<Place>): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw new FleetError("input", "cursor: is not one that this tool gave", {
      advice: "Call again without cursor to start from the beginning",
    });
  }
}

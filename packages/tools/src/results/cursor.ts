import { FleetError } from "@fleetwire/core";
import * as z from "zod";

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

const Count = z.int().min(0);

/** A place in an answer that is not paged: rows skipped, and the fingerprint of the last row shown. */
export const PlaceInList = z.tuple([Count, z.string()]);

/** A place reached by page: the page's size and index, and rows skipped on it. */
export const PlaceInPage = z.tuple([Count.min(1), Count, Count]);

/** A place reached by skipping records: records skipped, and rows of the next one. */
export const PlaceInRecords = z.tuple([Count, Count]);

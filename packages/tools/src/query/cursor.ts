import { FleetError } from "@fleetwire/core";
import type * as z from "zod";
import { base64Url, fromBase64Url, utf8 } from "../runtime/base64url.ts";

// Keeps a byte order mark, so that JSON.parse rejects a cursor that starts with one.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Encodes where the next page starts. The cursor holds the position itself, so the server stores nothing. */
export function writeCursor(place: readonly (string | number)[]): string {
  return base64Url(utf8(JSON.stringify(place)));
}

/** A cursor holds at most the ids of fifty vehicles and as many drivers. */
const MAX_CHARACTERS = 10_000;

/** Decodes a cursor; throws if this tool did not issue it. */
export function readCursor<Place>(cursor: string | undefined, shape: z.ZodType<Place>): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    if (cursor.length > MAX_CHARACTERS) throw new RangeError();
    return shape.parse(JSON.parse(decoder.decode(fromBase64Url(cursor))));
  } catch {
    throw new FleetError("input", "cursor: was not issued by this tool", {
      advice: "Call again without cursor to start from the beginning",
    });
  }
}

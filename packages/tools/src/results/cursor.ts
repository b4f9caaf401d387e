import { FleetError } from "@fleetwire/core";
import type * as z from "zod";
import { base64Url, fromBase64Url, utf8 } from "../base64url.ts";

// A mark at the start is part of the text: JSON does not begin with one.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Writes where a list goes on; it holds the place itself, so the server keeps nothing. */
export function writeCursor(place: readonly (string | number)[]): string {
  return base64Url(utf8(JSON.stringify(place)));
}

/** Reads a cursor back, or refuses it. */
export function readCursor<Place>(cursor: string | undefined, shape: z.ZodType<Place>): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(decoder.decode(fromBase64Url(cursor))));
  } catch {
    throw new FleetError("input", "cursor: is not one that this tool gave", {
      advice: "Call again without cursor to start from the beginning",
    });
  }
}

import { FleetError } from "@fleetwire/core";
import type * as z from "zod";
import { base64Url, fromBase64Url, utf8 } from "../base64url.ts";

// A byte order mark stays part of the text: JSON never starts with one.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Encodes the position of the next page. The cursor itself holds the position, so the server stores nothing. */
export function writeCursor(place: readonly (string | number)[]): string {
  return base64Url(utf8(JSON.stringify(place)));
}

/** Decodes a cursor; throws if it is not one of this tool. */
export function readCursor<Place>(cursor: string | undefined, shape: z.ZodType<Place>): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(decoder.decode(fromBase64Url(cursor))));
  } catch {
    throw new FleetError("input", "cursor: was not issued by this tool", {
      advice: "Call again without cursor to start from the beginning",
    });
  }
}

import { createHash } from "node:crypto";
import { clipped } from "./cell.ts";

/** What a record is told from others by, in 12 characters: only what would be shown of it counts. */
export const fingerprint = (record: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(clipped(record)))
    .digest("base64url")
    .slice(0, 12);

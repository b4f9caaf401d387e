import { sha256 } from "@noble/hashes/sha2.js";
import { base64Url, utf8 } from "../runtime/base64url.ts";
import { clipped } from "./clip-values.ts";

/** Identifies a record by 12 characters, computed only from the parts of it that would be shown. */
export const fingerprint = (record: unknown): string => base64Url(sha256(utf8(JSON.stringify(clipped(record))))).slice(0, 12);

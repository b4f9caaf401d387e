import { sha256 } from "@noble/hashes/sha2.js";
import { base64Url, utf8 } from "../runtime/base64url.ts";

/** Computes an id from what makes an event the same event, so that it is recognized when it is sent again. */
export const idOf = (...parts: readonly (string | number)[]): string => base64Url(sha256(utf8(JSON.stringify(parts)))).slice(0, 22);

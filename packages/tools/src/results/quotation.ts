import { quoted } from "@fleetwire/core";
import { singleLine } from "./clip-values.ts";

/** Text of the service on one line, as a quotation that it cannot end. No sentence of ours stands behind it. */
export const quotation = (text: string, limit?: number) => quoted(singleLine(text, limit));

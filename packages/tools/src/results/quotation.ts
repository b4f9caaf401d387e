import { quoted } from "@fleetwire/core";
import { singleLine } from "./clip-values.ts";

/** Quotes text of the service on a single line; the text cannot end the quotation. None of our sentences may follow it. */
export const quotation = (text: string, limit?: number) => quoted(singleLine(text, limit));

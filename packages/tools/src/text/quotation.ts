import { quoted } from "@fleetwire/core";
import { singleLine } from "./clip-values.ts";

/** Quotes text from the service on a single line, so that it cannot close the quotation itself. None of our sentences may follow it. */
export const quotation = (text: string, limit?: number) => quoted(singleLine(text, limit));

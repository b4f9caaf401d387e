import { LivePosition } from "../src/index.ts";

export const DEFAULT_LIMIT = 256 * 1024 * 1024;

// Every field, none of them short.
const texts = ["as much as most say", "2026-11-20T08:30:00.000Z", "driving", "EV", "CAN"];
const values = [...texts, 48.123456, 123_456, true, ["a text", "another"], ["DIESEL", "ELECTRIC"]];
const fields = Object.entries(LivePosition.shape).map(([name, field]) => [name, values.find((value) => field.safeParse(value).success)]);

/** A live position with a value in every field. */
export const record = Object.fromEntries(fields);

import * as z from "zod";
import { COUNT, fieldMetadata, LATITUDE, LONGITUDE, measure, ofKind, text } from "./field-metadata.ts";
import { isDayFirstDate, parseDateTime } from "./parse-date-time.ts";

/** Identifier of a customer, person or vehicle: only letters and digits, so that it cannot change the URL it is inserted into (interface 1). */
export const Identifier = z
  .string()
  .regex(/^[A-Za-z0-9]+$/, "must consist of letters and digits only")
  .meta({ description: "Alphanumeric identifier" })
  .register(fieldMetadata, { holds: "id" });

/** Degrees north of the equator. The bounds are geographic; the interface states none. */
export const Latitude = ofKind(z.number(), "latitude")
  .min(LATITUDE.min)
  .max(LATITUDE.max)
  .meta({ format: "double", description: "Degrees north" });

/** Degrees east of Greenwich. The bounds are geographic; the interface states none. */
export const Longitude = ofKind(z.number(), "longitude")
  .min(LONGITUDE.min)
  .max(LONGITUDE.max)
  .meta({ format: "double", description: "Degrees east" });

/** A double-precision number (interface part 2). */
export const Double = z.number().meta({ format: "double" });

/** A single-precision number (interface part 2). */
export const Float = z.number().meta({ format: "float" });

/** A 32-bit integer (interface part 2). */
export const Int32 = z.int().meta({ format: "int32", minimum: undefined, maximum: undefined });

/** A count, or an index. */
export const Count = measure(z.int(), COUNT);

/** A 64-bit integer in a result: a number if it can be represented exactly, otherwise a string of decimal digits. On the wire it is always an integer. */
export const Int64 = z.union([z.int(), z.string().regex(/^-?\d+$/)]).meta({ format: "int64" });

/** A flag that counts as true if its value has the wrong type, so that it fails closed. */
export const GuardingFlag = z.boolean().register(fieldMetadata, { holds: "flag", guard: true });

/** A date-time in a response. Its exact format is not checked, because the interface says only `date-time`. */
export const DateTime = text("instant").meta({ format: "date-time" });

type Open<Values extends readonly string[]> = Values[number] | (string & {});

/** Documented values of a response field. Other values are kept and reported as drift, hence the open type. */
export function openEnum<const Values extends readonly [string, ...string[]]>(values: Values): z.ZodType<Open<Values>, Open<Values>> {
  return z.enum(values) as unknown as z.ZodType<Open<Values>, Open<Values>>;
}

const INVALID_DATE_TIME = "must be a Date or a valid ISO 8601 date-time, such as 2026-11-20T08:30:00Z (UTC unless an offset is given)";

// A date without a time is ambiguous: in a scheduled start, the day may come before the month.
const DATE_TIME = /^\S+T\S+$/;

const instantOf = (value: string | Date) =>
  value instanceof Date ? value.getTime() : DATE_TIME.test(value) ? parseDateTime(value) : undefined;

function utcInput(wirePattern: RegExp, wireForm: (iso: string) => string, description: string, passThrough?: (text: string) => boolean) {
  return z
    .union([z.string(), z.date()], { error: INVALID_DATE_TIME })
    .transform((value, context) => {
      const text = String(value);
      if (passThrough?.(text)) return text;
      const instant = instantOf(value);
      if (instant === undefined) {
        context.addIssue(INVALID_DATE_TIME);
        return z.NEVER;
      }
      return wireForm(new Date(instant).toISOString());
    })
    .pipe(z.string().regex(wirePattern))
    .meta({ description })
    .register(fieldMetadata, { holds: "instant" });
}

/** A date-time sent as UTC `YYYY-MM-DDThh:mm:ss`, without a suffix (interface 4.2, 4.5). Accepts a Date or any ISO 8601 date-time. */
export const UtcSeconds = utcInput(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/, (iso) => iso.slice(0, 19), "UTC, YYYY-MM-DDThh:mm:ss");

/** A date-time sent as UTC `YYYY-MM-DDTHH:mmZ` (interface 2.5). Accepts a Date or any ISO 8601 date-time; seconds are dropped. */
export const UtcMinutes = utcInput(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/, (iso) => `${iso.slice(0, 16)}Z`, "UTC, YYYY-MM-DDTHH:mmZ");

/** Like {@link UtcMinutes}, but also accepts the other documented format, `YYYY-DD-MM` (day before month), and sends it unchanged (interface 2.5). */
export const UtcMinutesOrDay = utcInput(
  /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}Z)?$/,
  (iso) => `${iso.slice(0, 16)}Z`,
  "UTC, YYYY-MM-DDTHH:mmZ or YYYY-DD-MM",
  isDayFirstDate,
);

/** A date-time sent as UTC with `Z`. The interface says only that its type is date-time (interface 4.3). */
export const UtcInstant = utcInput(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  (iso) => `${iso.slice(0, 19)}Z`,
  "UTC date-time, such as 2026-11-20T08:30:00Z",
).meta({ format: "date-time", pattern: undefined });

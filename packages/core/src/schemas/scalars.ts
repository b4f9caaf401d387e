import * as z from "zod";
import { fieldMetadata, measure, ofKind, text } from "./field-metadata.ts";
import { COUNT } from "./field-privacy.ts";
import { isDayFirstDate, parseDateTime } from "./parse-date-time.ts";

/** The identifier of a customer, person or vehicle: letters and digits only, so that none can alter the URL it is put into (interface 1). */
export const Identifier = z
  .string()
  .regex(/^[A-Za-z0-9]+$/, "must consist of letters and digits only")
  .meta({ description: "Alphanumeric identifier" })
  .register(fieldMetadata, { holds: "id" });

/** Degrees north of the equator. The bounds are geography's; the interface states none. */
export const Latitude = ofKind(z.number(), "latitude").min(-90).max(90).meta({ format: "double", description: "Degrees north" });

/** Degrees east of Greenwich. The bounds are geography's; the interface states none. */
export const Longitude = ofKind(z.number(), "longitude").min(-180).max(180).meta({ format: "double", description: "Degrees east" });

/** A number of double precision (interface part 2). */
export const Double = z.number().meta({ format: "double" });

/** A number of single precision (interface part 2). */
export const Float = z.number().meta({ format: "float" });

/** A 32-bit integer (interface part 2). */
export const Int32 = z.int().meta({ format: "int32", minimum: undefined, maximum: undefined });

/** How many there are of something, or the place of one among them. */
export const Count = measure(z.int(), COUNT);

/**
 * A 64-bit integer as it comes back: a number while that is exact, else its decimal digits as a string.
 * On the wire it is always an integer.
 */
export const Int64 = z.union([z.int(), z.string().regex(/^-?\d+$/)]).meta({ format: "int64" });

/** A flag that counts as true where it cannot be read: what it guards must not fall open. */
export const GuardingFlag = z.boolean().register(fieldMetadata, { holds: "flag", guard: true });

/** A date-time in a response. The interface names the format and no particular form, so none is enforced. */
export const DateTime = text("instant").meta({ format: "date-time" });

type Open<Values extends readonly string[]> = Values[number] | (string & {});

/**
 * Documented values of a response field. Others may appear, for a service can grow: they are kept and reported as drift, hence the open type.
 */
export function openEnum<const Values extends readonly [string, ...string[]]>(values: Values): z.ZodType<Open<Values>, Open<Values>> {
  return z.enum(values) as unknown as z.ZodType<Open<Values>, Open<Values>>;
}

const NOT_AN_INSTANT = "must be a Date or an ISO 8601 date-time that exists, such as 2026-11-20T08:30:00Z (UTC where no offset is given)";

// A date alone is no date-time: of a scheduled start it may have the day before the month.
const DATE_TIME = /^\S+T\S+$/;

const instantOf = (value: string | Date) =>
  value instanceof Date ? value.getTime() : DATE_TIME.test(value) ? parseDateTime(value) : undefined;

function utcInput(wirePattern: RegExp, wireForm: (iso: string) => string, description: string, passThrough?: (text: string) => boolean) {
  return z
    .union([z.string(), z.date()], { error: NOT_AN_INSTANT })
    .transform((value, context) => {
      const text = String(value);
      if (passThrough?.(text)) return text;
      const instant = instantOf(value);
      if (instant === undefined) {
        context.addIssue(NOT_AN_INSTANT);
        return z.NEVER;
      }
      return wireForm(new Date(instant).toISOString());
    })
    .pipe(z.string().regex(wirePattern))
    .meta({ description })
    .register(fieldMetadata, { holds: "instant" });
}

/** An instant sent as UTC `YYYY-MM-DDThh:mm:ss` with no suffix (interface 4.2, 4.5). Takes a Date or any ISO 8601 form. */
export const UtcSeconds = utcInput(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/, (iso) => iso.slice(0, 19), "UTC, YYYY-MM-DDThh:mm:ss");

/** An instant sent as UTC `YYYY-MM-DDTHH:mmZ` (interface 2.5). Takes a Date or any ISO 8601 form; seconds are dropped. */
export const UtcMinutes = utcInput(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/, (iso) => `${iso.slice(0, 16)}Z`, "UTC, YYYY-MM-DDTHH:mmZ");

/** As {@link UtcMinutes}; `YYYY-DD-MM`, the day before the month, is the other documented form and is sent as it is (interface 2.5). */
export const UtcMinutesOrDay = utcInput(
  /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}Z)?$/,
  (iso) => `${iso.slice(0, 16)}Z`,
  "UTC, YYYY-MM-DDTHH:mmZ or YYYY-DD-MM",
  isDayFirstDate,
);

/** An instant sent as UTC with `Z`: the interface names the type date-time and no form (interface 4.3). */
export const UtcInstant = utcInput(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  (iso) => `${iso.slice(0, 19)}Z`,
  "UTC date-time, such as 2026-11-20T08:30:00Z",
).meta({ format: "date-time", pattern: undefined });

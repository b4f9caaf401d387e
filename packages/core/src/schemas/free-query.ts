import * as z from "zod";
import { fieldMetadata } from "./field-metadata.ts";

// A file of its own: whoever bundles a schema of records needs no maps.
const Value = z.union([z.string(), z.number(), z.boolean()], "must be a string, a finite number, true or false");

/** Query parameters of an endpoint that does not document them (interface 4.6). They are passed through; a list is sent comma-separated. */
export const FreeQuery = z
  .record(z.string().min(1), z.union([Value, z.array(Value)], "must be a string, a finite number, true or false, or a list of these"))
  .meta({ description: "Query parameters, passed through" })
  .register(fieldMetadata, { holds: "text" });

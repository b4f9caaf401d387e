import * as z from "zod";
import { fieldMetadata, measure, text, upTo } from "./field-metadata.ts";
import { Identifier, Int32 } from "./scalars.ts";
import type { ShapeSchema } from "./schema-walk.ts";
import type * as shapes from "./shapes.generated.ts";

/** Group identifier: up to 24 lower-case letters and digits (interface 2.1, part 8). */
export const GroupId = z
  .string()
  .min(1, "must not be empty")
  .max(24, "must have at most 24 characters")
  .regex(/^[a-z0-9]+$/, "must consist of lower-case letters and digits only")
  .meta({ description: "Group identifier" })
  .register(fieldMetadata, { holds: "id" });

/** A group in the hierarchy (`GroupDto`, interface 2.1). */
export const Group = z
  .object({
    id: GroupId.describe("Identifier of the group"),
    name: text("name").max(255, "must have at most 255 characters").optional().describe("Name, unique among groups"),
    parentId: Identifier.optional().describe("Identifier of the parent group; changing it moves the group"),
    path: text("id").optional().meta({ readOnly: true, description: "Ids from the root group to this one, separated by dots" }),
    vehicleIds: z.array(Identifier).optional().describe("Identifiers of the assigned vehicles"),
    personIds: z.array(Identifier).optional().describe("Identifiers of the assigned persons"),
  })
  .meta({ id: "Group" });

export type Group = shapes.Group;

/** An error reported by the service (`ApiErrorDto`, interface 2.2). The values of errorCode are undocumented. */
export const ApiError: ShapeSchema<shapes.ApiError> = z
  .object({
    errorCode: measure(Int32, upTo(999_999)).optional().describe("Error number; values undocumented"),
    errorMessage: text("text").optional().describe("What went wrong, in the service's words"),
    offendingFields: z.array(text("field")).optional().describe("Names of the rejected fields"),
  })
  .meta({ id: "ApiError" });

export type ApiError = shapes.ApiError;

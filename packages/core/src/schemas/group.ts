import * as z from "zod";
import { fieldMetadata, text } from "./field-metadata.ts";
import { Identifier } from "./scalars.ts";
import type * as shapes from "./shapes.generated.ts";

/** Identifier of a group: lower-case letters and digits, at most 24 (interface 2.1, part 8). */
export const GroupId = z
  .string()
  .min(1, "must not be empty")
  .max(24, "must have at most 24 characters")
  .regex(/^[a-z0-9]+$/, "must consist of lower-case letters and digits only")
  .meta({ description: "Group identifier" })
  .register(fieldMetadata, { holds: "id" });

/** A group of the hierarchy (`GroupDto`, interface 2.1). */
export const Group = z
  .object({
    id: GroupId.describe("Identifier of the group"),
    name: text("name").max(255, "must have at most 255 characters").optional().describe("Name, unique among groups"),
    parentId: Identifier.optional().describe("Identifier of the group above; changing it moves the group"),
    path: text("id").optional().meta({ readOnly: true, description: "Ids from the root group down to this one, joined by a full stop" }),
    vehicleIds: z.array(Identifier).optional().describe("Identifiers of the vehicles assigned"),
    personIds: z.array(Identifier).optional().describe("Identifiers of the persons assigned"),
  })
  .meta({ id: "Group" });

export type Group = shapes.Group;

import * as z from "zod";
import { measure, text, upTo } from "./field-metadata.ts";
import { openEnum } from "./scalars.ts";
import type { ShapeSchema } from "./schema-walk.ts";
import type * as shapes from "./shapes.generated.ts";

/** Response of the token service (interface 5.2). */
export const AccessToken: ShapeSchema<shapes.AccessToken> = z
  .object({
    success: z.boolean().optional().describe("Whether authentication succeeded"),
    accessToken: text("secret").optional().describe("Token for later requests"),
    token_type: openEnum(["bearer"]).optional().describe("Always bearer"),
    expires_in: measure(z.int(), upTo(31_622_400), "s").optional().describe("Lifetime of the token in seconds"),
  })
  .meta({ id: "AccessToken" });

export type AccessToken = shapes.AccessToken;

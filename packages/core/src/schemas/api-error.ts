import * as z from "zod";
import { measure, text } from "./field-metadata.ts";
import { upTo } from "./field-privacy.ts";
import { Int32 } from "./scalars.ts";
import type { ShapeSchema } from "./shape-schema.ts";
import type * as shapes from "./shapes.generated.ts";

/** An error reported by the service (`ApiErrorDto`, interface 2.2). The values of errorCode are undocumented. */
export const ApiError: ShapeSchema<shapes.ApiError> = z
  .object({
    errorCode: measure(Int32, upTo(999_999)).optional().describe("Error number; values undocumented"),
    errorMessage: text("text").optional().describe("What went wrong, in the service's words"),
    offendingFields: z.array(text("field")).optional().describe("Names of the rejected fields"),
  })
  .meta({ id: "ApiError" });

export type ApiError = shapes.ApiError;

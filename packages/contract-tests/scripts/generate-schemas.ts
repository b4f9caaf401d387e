import { DeploymentProfile } from "@fleetwire/core/internal";
import * as z from "zod";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { DriftBaseline, VerifyReport } from "../src/deployment/index.ts";

const schemaText = (schema: z.ZodType) => `${JSON.stringify(z.toJSONSchema(schema), null, 2)}\n`;

/** The JSON Schemas of what `verify` reads and prints, and of what `learn` writes. */
export const generate = async (): Promise<GeneratedFiles> => ({
  "packages/contract-tests/schemas/baseline.schema.json": schemaText(DriftBaseline),
  "packages/contract-tests/schemas/profile.schema.json": schemaText(DeploymentProfile),
  "packages/contract-tests/schemas/verify-report.schema.json": schemaText(VerifyReport),
});

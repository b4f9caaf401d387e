import { mkdirSync, writeFileSync } from "node:fs";
import { DeploymentProfile } from "@fleetwire/core/internal";
import * as z from "zod";
import { DriftBaseline, VerifyReport } from "../dist/deployment/verify-report.js";

/** The JSON Schemas of what `verify` reads and prints, and of what `learn` writes. */
const schemas = { baseline: DriftBaseline, profile: DeploymentProfile, "verify-report": VerifyReport };

const folder = new URL("../schemas/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, schema] of Object.entries(schemas))
  writeFileSync(new URL(`${name}.schema.json`, folder), `${JSON.stringify(z.toJSONSchema(schema), null, 2)}\n`);

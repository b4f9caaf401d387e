import type { VariableTable } from "@fleetwire/core";
import * as z from "zod";
import { environmentVariables } from "../server-config.ts";

const webhookVariables = {
  FLEET_WEBHOOK_SECRET: {
    schema: z.string(),
    secret: true,
    description: "the secret that signs webhooks, such as whsec_ and 24 to 64 bytes in base64",
  },
} satisfies VariableTable;

/** All variables that `fleetwire-mcp watch` reads. */
export const watchVariables: typeof environmentVariables & typeof webhookVariables = { ...environmentVariables, ...webhookVariables };

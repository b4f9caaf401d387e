import * as z from "zod";
import { defineOperation } from "../define-operation.ts";
import type { Operation } from "../operation.ts";
import { AccessToken } from "../schemas/access-token.ts";
import type { RequestAccessTokenInput } from "./inputs.generated.ts";

export const requestAccessToken: Operation<RequestAccessTokenInput, AccessToken> = defineOperation({
  name: "requestAccessToken",
  summary: "Request an access token with client credentials",
  source: "interface 5.2",
  method: "POST",
  // The first segment is a placeholder for a vendor name: configure the real path with `tokenPath`.
  path: "/vendor-oauth/oauth/accessToken",
  servers: ["auth"],
  auth: ["basic"],
  contentType: "application/x-www-form-urlencoded",
  body: { grant_type: z.literal("client_credentials").default("client_credentials").describe("Always client_credentials") },
  output: AccessToken,
  secretOutput: ["accessToken"],
  effect: "read",
  probe: () => ({}),
  refusal: ({ success }) => (success === false ? { code: "unauthorized", message: "rejected by the service" } : undefined),
});

import type { Handler } from "../service/handler.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { objectFields } from "../service/request-body.ts";

/** Exchanges Basic credentials for an access token (interface 5.2). */
export const requestAccessToken: Handler = ({ body, customer, now, tokens }) => {
  if (objectFields(body)["grant_type"] !== "client_credentials")
    throw refuse(400, "invalid", "grant_type must be client_credentials", "grant_type");
  const accessToken = tokens.issue(customer.ordinal, now);
  return jsonResponse({ success: true, accessToken, token_type: "bearer", expires_in: tokens.lifetime }, 200, {
    "Cache-Control": "no-store",
  });
};

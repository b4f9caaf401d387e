import { operations } from "@fleetwire/core";
import type { NamedFixture } from "../src/fixtures/fixture.ts";
import { REPLAY_TOKEN, withSecrets } from "../src/fixtures/stand-ins.ts";

const GRANTED = { success: true, accessToken: REPLAY_TOKEN, token_type: "bearer", expires_in: 3600 };

/** Answers each request as the fixture has it: what is asked is the business of the checks by replay. */
export function cannedFetch({ operation, response }: Pick<NamedFixture, "operation" | "response">): typeof fetch {
  const { status, headers, body, text } = withSecrets(response);
  return async (url) => {
    if (operation !== "requestAccessToken" && String(url).endsWith(operations.requestAccessToken.path)) return Response.json(GRANTED);
    if (status === 0) return Response.error();
    return new Response(text ?? (body === undefined ? null : JSON.stringify(body)), { status, headers });
  };
}

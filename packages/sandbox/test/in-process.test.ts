import { createSandbox } from "@fleetwire/sandbox";
import { expect, test } from "vitest";
import { FRIDAY } from "./sandbox-caller.ts";

test("its fetch replaces the global one", async () => {
  const sandbox = createSandbox({ vehicles: 3, clock: () => FRIDAY });
  const { FLEET_BASE_URL, FLEET_CUSTOMER_ID, FLEET_CLIENT_ID, FLEET_CLIENT_SECRET } = sandbox.env;
  const url = `${FLEET_BASE_URL}/public/v1/customer/${FLEET_CUSTOMER_ID}/tracking/live`;
  const init = { headers: { authorization: `Basic ${btoa(`${FLEET_CLIENT_ID}:${FLEET_CLIENT_SECRET}`)}` } };
  const fetch: typeof globalThis.fetch = sandbox.fetch;
  const responses = await Promise.all([fetch(url, init), fetch(new URL(url), init), fetch(new Request(url, init))]);
  for (const response of responses) expect(await response.json()).toHaveLength(3);
});

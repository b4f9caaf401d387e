import { createSandbox } from "@fleetwire/sandbox";
import { expect, onTestFinished, test } from "vitest";

const ORIGIN = "http://localhost:5173";
const PREFLIGHT = { "access-control-request-method": "GET", "access-control-request-headers": "authorization" };

test.each([
  ["a preflight of the page", ORIGIN, "OPTIONS", PREFLIGHT, 204, ORIGIN],
  ["a request of the page, although it fails", ORIGIN, "GET", {}, 401, ORIGIN],
  ["a preflight of another page", "http://localhost:5174", "OPTIONS", PREFLIGHT, 405, null],
  ["a request of another page", "http://localhost:5174", "GET", {}, 401, null],
] as const)("%s", async (_name, origin, method, headers, status, allowed) => {
  const sandbox = createSandbox({ vehicles: 1 });
  onTestFinished(() => sandbox.close());
  const { env } = await sandbox.listen({ console: true, cors: ORIGIN });
  const url = `${env["FLEET_BASE_URL"]}/public/v1/customer/${env["FLEET_CUSTOMER_ID"]}/tracking/live`;
  const response = await fetch(url, { method, headers: { ...headers, origin } });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([status, allowed]);
});

test("the console is no part of it", async () => {
  const sandbox = createSandbox({ vehicles: 1 });
  onTestFinished(() => sandbox.close());
  const { origin } = await sandbox.listen({ console: true, cors: ORIGIN });
  const response = await fetch(`${origin}/console/api/fleet`, { headers: { origin: ORIGIN } });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, null]);
});

test.each(["*", "localhost:5173", `${ORIGIN}/`])("%s is no origin", async (cors) => {
  await expect(createSandbox({ vehicles: 1 }).listen({ cors })).rejects.toThrow("cors must be an origin, such as http://localhost:5173");
});

import { expect, it } from "vitest";
import { createFleet } from "../../src/cli/create-fleet.ts";
import type { ServerLog } from "../../src/log.ts";

it("logs where a response differs from the contract, without the names and values that the service chose", async () => {
  const lines: unknown[] = [];
  const log = { warn: (fields: unknown, message: string) => lines.push([fields, message]) } as unknown as ServerLog;
  const agents: unknown[] = [];
  const fleet = createFleet(
    {
      customerId: "c42",
      credentials: { clientId: "id", clientSecret: "secret" },
      servers: { base: "https://fleet.example.com" },
      fetch: async (_, init) => {
        agents.push(new Headers(init?.headers).get("user-agent"));
        return Response.json([{ assetId: "v1", speed: "fast", "Ana's car": "canary" }]);
      },
    },
    log,
  );
  await fleet.listLivePositions();
  expect(agents).toEqual([expect.stringMatching(/^fleetwire-mcp\/\d+\.\d+\.\d+/)]);
  expect(lines).toEqual([
    [
      {
        operation: "listLivePositions",
        drift: [
          { path: "$[*].speed", kind: expect.any(String), count: 1 },
          { path: "$[*].(undocumented)", kind: expect.any(String), count: 1 },
        ],
      },
      "drift from the contract",
    ],
  ]);
});

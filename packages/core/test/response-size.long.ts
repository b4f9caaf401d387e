import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { fleetUnderTest } from "./fleet-under-test.ts";
import { DEFAULT_LIMIT, record } from "./large-fleet.ts";

it("a fleet of 100,000 vehicles fits in one response by default", async () => {
  let bytes = 0;
  const answer = async (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" });
    for (let at = 0; at < 100_000; at += 1_000) {
      const some = Array.from({ length: 1_000 }, (_, more) => JSON.stringify({ ...record, assetId: `v${at + more}` }));
      const text = `${at === 0 ? "[" : ","}${some.join(",")}`;
      bytes += Buffer.byteLength(text);
      if (!response.write(text)) await once(response, "drain");
    }
    response.end("]");
  };
  const { fleet } = await fleetUnderTest({ api: [answer], timeout: 50_000 });
  const positions = await fleet.listLivePositions();
  expect(positions).toHaveLength(100_000);
  expect(positions.at(-1)).toMatchObject({ assetId: "v99999" });
  console.log(`100,000 vehicles with ${Object.keys(record).length} fields each: ${(bytes / 1024 / 1024).toFixed(1)} MB of 256`);
  expect(bytes).toBeLessThan(DEFAULT_LIMIT * 0.6);
});

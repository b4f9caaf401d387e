import { createFleetClient } from "@fleetwire/core";
import { expect, it, onTestFinished } from "vitest";
import type { ServerLog } from "../../src/fetch.ts";
import { createServerFactory, serveHttp, serverConfigFromEnv } from "../../src/index.ts";
import { environmentOf } from "../server-under-test.ts";

it("a request that the protocol rejects is logged by the name of its error", async () => {
  const lines: object[] = [];
  const write = (line: object, text: string) => void lines.push({ ...line, text });
  const log = { error: write, warn: write, info: write } as unknown as ServerLog;
  const config = serverConfigFromEnv(environmentOf("http://127.0.0.1:9"));
  const factory = createServerFactory({ fleet: createFleetClient(config), config, log, version: "1.2.3" });
  const http = await serveHttp({ factory, host: "127.0.0.1", port: 0, log });
  onTestFinished(() => http.close());
  const response = await fetch(http.url, {
    method: "POST",
    headers: { accept: "text/plain", "content-type": "application/json" },
    body: "{}",
  });
  expect(response.ok).toBe(false);
  expect(lines).toContainEqual({ error: "Error", text: "protocol" });
});

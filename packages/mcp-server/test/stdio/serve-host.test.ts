import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import type { ServerLog } from "../../src/log.ts";
import type { Subscriptions } from "../../src/mcp/subscriptions.ts";
import { serveHost } from "../../src/stdio/serve-host.ts";

/** A server that offers nothing, perhaps with subscriptions. */
function served(subscriptions?: Pick<Subscriptions, "attach">) {
  const lines: unknown[] = [];
  const log = { error: (line: object, text: string) => lines.push({ ...line, text }) } as unknown as ServerLog;
  const [host, wire] = InMemoryTransport.createLinkedPair();
  const factory = Object.assign(() => new McpServer({ name: "test", version: "1.0.0" }), { subscriptions: subscriptions as Subscriptions });
  return { lines, host, wire, handle: serveHost(factory, wire, log) };
}

it.each<[string, Pick<Subscriptions, "attach"> | undefined]>([
  ["without subscriptions", undefined],
  ["with subscriptions", { attach: () => () => {} }],
])("logs the name of a protocol error, not what it contains, and disconnects the host when it is closed: %s", async (_, subscriptions) => {
  const { lines, host, wire, handle } = served(subscriptions);
  let disconnected = false;
  host.onclose = () => {
    disconnected = true;
  };
  wire.onerror?.(new TypeError("secret"));
  expect(disconnected).toBe(false);
  await handle.close();
  expect(disconnected).toBe(true);
  expect(lines).toEqual([{ error: "TypeError", text: "protocol" }]);
});

it("notifies its host of changes until it is closed, and does not fail before the host has said anything", async () => {
  const notified = new Set<(uri: string) => void>();
  const { handle } = served({
    attach: (notify) => {
      notified.add(notify);
      return () => notified.delete(notify);
    },
  });
  for (const notify of notified) notify("fleet://vehicle/Truck%2012");
  expect(notified.size).toBe(1);
  await handle.close();
  expect(notified.size).toBe(0);
});

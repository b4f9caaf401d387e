import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";
import { sanitizeOutput } from "../../src/mcp/safe-output.ts";
import { hostClient } from "../host-client.ts";

const IDENTITY = { name: "test", version: "1.0.0" };
/** A right-to-left override, which hides what follows it. */
const HIDDEN = "\u202e";

async function connected() {
  const server = new McpServer(IDENTITY);
  sanitizeOutput(server, IDENTITY);
  server.registerTool("find", { description: "Finds" }, async () => ({
    content: [{ type: "text" as const, text: `Truck\n12${HIDDEN}` }],
    structuredContent: { "name\n": `Truck\n12${HIDDEN}` },
  }));
  const failing: [string, unknown][] = [
    ["error", new Error(`No\ntruck${HIDDEN}`)],
    ["text", `No truck${HIDDEN}`],
  ];
  for (const [name, thrown] of failing)
    server.registerResource(name, `test://${name}`, {}, async () => {
      throw thrown;
    });
  const [host, wire] = InMemoryTransport.createLinkedPair();
  const client = hostClient("legacy");
  await Promise.all([server.connect(wire), client.connect(host)]);
  onTestFinished(() => client.close());
  return client;
}

it("a result has lines only in its text, and nothing invisible", async () => {
  const client = await connected();
  expect(await client.callTool({ name: "find" })).toMatchObject({
    content: [{ text: "Truck\n12\\u{202e}" }],
    structuredContent: { "name ": "Truck 12\\u{202e}" },
  });
});

it("the message of a failure has nothing invisible, whatever was thrown", async () => {
  const client = await connected();
  const messageOf = (name: string) =>
    client.readResource({ uri: `test://${name}` }).then(
      () => "",
      ({ message }: Error) => message,
    );
  expect(await messageOf("error")).toContain("No\ntruck\\u{202e}");
  expect(await messageOf("text")).not.toMatch(/Cannot create property|\u202e/);
});

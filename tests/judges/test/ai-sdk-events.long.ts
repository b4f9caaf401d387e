import { buffer } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { servedOverHttps } from "../../../packages/mcp-server/test/callback-receiver.ts";
import { bearer } from "../../../packages/mcp-server/test/callers-under-test.ts";
import { ARRIVES, AWAY, callersUnderTest, DEPOT } from "../../../packages/mcp-server/test/events-under-test.ts";
import { AI_SDK } from "./hosts.ts";
import { INSTALL_TIMEOUT, installPackages } from "./programs.ts";

const SOON = { timeout: 15_000 };

/** What an application keeps of its subscriptions, in memory. */
function subscriptionStore() {
  const kept = new Map<string, { key: string; id?: string }>();
  return {
    get: async (key: string) => kept.get(key),
    getById: async (id: string) => [...kept.values()].find((one) => one.id === id),
    set: async (one: { key: string }) => void kept.set(one.key, one),
    update: async (key: string, patch: object) => void kept.set(key, { ...kept.get(key), ...patch, key }),
    delete: async (key: string) => void kept.delete(key),
    kept,
  };
}

/** Serves a Fetch handler, which is set later, over HTTPS on this machine. */
async function receiverOf() {
  let handler: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 });
  const url = await servedOverHttps(async (message, response) => {
    const body = await buffer(message);
    const headers = Object.entries(message.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const answer = await handler(new Request(`${url}${message.url}`, { method: message.method ?? "POST", headers, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  return {
    url,
    use: (next: typeof handler) => {
      handler = next;
    },
  };
}

it(
  "the AI SDK's client subscribes to events, and its receiver accepts each once",
  async () => {
    const modules = await installPackages(AI_SDK);
    const { createMCPClient, experimental_createMCPEventWebhook } = await import(`${modules}/@ai-sdk/mcp/dist/index.js`);
    const receiver = await receiverOf();
    const { url, tokens, fleet } = await callersUnderTest({}, undefined, { FLEET_EVENT_WEBHOOKS: new URL(receiver.url).host });
    const store = subscriptionStore();
    const heard: { subscription: object; event: object }[] = [];
    const errors: unknown[] = [];
    const onEvent = async (one: (typeof heard)[number]) => void heard.push(one);
    receiver.use(experimental_createMCPEventWebhook({ store, onEvent, onError: (error: unknown) => errors.push(error) }));
    const client = await createMCPClient({
      transport: { type: "http", url, headers: bearer(tokens.anna) },
      protocolVersionDiscovery: true,
      experimental_events: { store },
    });
    onTestFinished(() => client.close());

    const { events } = await client.experimental_events.list();
    expect(events.map(({ name }: { name: string }) => name)).toContain("arrives");
    const { id, truncated } = await client.experimental_events.subscribe({
      ...ARRIVES,
      delivery: { mode: "webhook", url: `${receiver.url}/hook` },
      ttlMs: 120_000,
    });
    expect(truncated).toBe(false);
    fleet.move(DEPOT);
    await expect.poll(() => heard.length, SOON).toBe(1);
    const data = { when: "arrives", text: "Van 1 (v1) arrived at Lyon Depot" };
    expect(heard[0]).toMatchObject({ subscription: { id, name: "arrives" }, event: { name: "arrives", data } });

    expect(await client.experimental_events.refresh({ id })).toMatchObject({ id, truncated: false });
    fleet.move(AWAY);
    await fleet.isSeen();
    fleet.move(DEPOT);
    await expect.poll(() => heard.length, SOON).toBe(2);
    await client.experimental_events.unsubscribe({ id });
    expect([store.kept.size, errors]).toEqual([0, []]);
  },
  INSTALL_TIMEOUT + 60_000,
);

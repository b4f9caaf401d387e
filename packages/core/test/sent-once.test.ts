import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, type FleetClientOptions } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";
import { silence } from "./recording-server.ts";

// Node's fetch silently resends a request once after 421.
const misdirected = { status: 421, body: [{ errorMessage: "another server, please" }] };

const creation = (method: "POST" | "DELETE", body?: Readonly<Record<string, z.ZodType>>) =>
  defineOperation({
    name: "ringBell",
    summary: "For a test",
    source: "our own notes",
    method,
    path: "/v1/bell",
    servers: ["base"],
    auth: ["basic"],
    ...(body && { body }),
    output: z.void(),
    effect: "create",
  });

describe("a creation is sent once, even if the response is 421", () => {
  const options: [string, Partial<FleetClientOptions>][] = [
    ["the client numbers it", {}],
    ["the service numbers it", { jobNumbers: "service" }],
    ["it could be retried", { retries: 2 }],
  ];
  it.each(options)("if %s", async (_, more) => {
    const { fleet, api } = await fleetUnderTest({ api: [misdirected], ...more });
    const address = "Straße der Jugend 1, Orléans";
    expect(await failure(fleet.createJob({ address }))).toMatchObject({ status: 421 });
    const { body, headers } = onlyRequest(api);
    expect(JSON.parse(body)).toMatchObject({ address });
    // Not chunked, which some services do not accept.
    expect(headers).toMatchObject({ "content-length": String(Buffer.byteLength(body)), "content-type": "application/json" });
    expect(headers["transfer-encoding"]).toBeUndefined();
  });

  it("and a custom fetch gets its body as a string", async () => {
    const bodies: unknown[] = [];
    const { fleet } = await fleetUnderTest({
      fetch: (url, init) => {
        bodies.push(init?.body);
        return fetch(url, init);
      },
    });
    await failure(fleet.createJob({ address: "a", jobNumber: "J1" }));
    expect(JSON.parse(String(bodies.at(-1)))).toEqual({ address: "a", jobNumber: "J1" });
    expect(bodies.at(-1)).toEqual(expect.any(String));
  });

  it("by a custom operation, with or without a body", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [misdirected] });
    await failure(fleet.request(creation("POST", { times: z.int() }), { times: 3 }));
    await failure(fleet.request(creation("POST"), {}));
    await failure(fleet.request(creation("DELETE"), {}));
    expect(api.requests.map(({ method, body }) => `${method} ${body}`)).toEqual(['POST {"times":3}', "POST ", "DELETE "]);
  });

  it("and its body is sent in full, at any size, unless the caller aborts", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { job: { jobId: "j1" } } }] });
    const notes = "ü".repeat(300_000);
    expect(await fleet.createJob({ address: "a", jobNumber: "J1", notes })).toEqual({ job: { jobId: "j1", jobNumber: "J1" } });
    expect(JSON.parse(onlyRequest(api).body).notes).toBe(notes);

    api.script(silence);
    const controller = new AbortController();
    const call = failure(fleet.createJob({ address: "a" }, { signal: controller.signal }));
    await api.arrived(2);
    controller.abort();
    expect((await call).code).toBe("unknownOutcome");
  });
});

import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, type FleetClientOptions } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";
import { silence } from "./recording-server.ts";

// Node's fetch repeats what 421 is the answer to, once and unseen.
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

describe("a creation is sent once, though it is answered with 421", () => {
  const options: [string, Partial<FleetClientOptions>][] = [
    ["the client numbers it", {}],
    ["the service numbers it", { jobNumbers: "service" }],
    ["it could be tried again", { retries: 2 }],
  ];
  it.each(options)("where %s", async (_, more) => {
    const { fleet, api } = await fleetUnderTest({ api: [misdirected], ...more });
    const address = "Straße der Jugend 1, Orléans";
    expect(await failure(fleet.createJob({ address }))).toMatchObject({ status: 421 });
    const { body, headers } = onlyRequest(api);
    expect(JSON.parse(body)).toMatchObject({ address });
    // As it is sent otherwise: some services take no chunks.
    expect(headers).toMatchObject({ "content-length": String(Buffer.byteLength(body)), "content-type": "application/json" });
    expect(headers["transfer-encoding"]).toBeUndefined();
  });

  it("and a fetch of the caller's own gets its body as a text", async () => {
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

  it("of an operation of one's own, with a body or without", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [misdirected] });
    await failure(fleet.request(creation("POST", { times: z.int() }), { times: 3 }));
    await failure(fleet.request(creation("POST"), {}));
    await failure(fleet.request(creation("DELETE"), {}));
    expect(api.requests.map(({ method, body }) => `${method} ${body}`)).toEqual(['POST {"times":3}', "POST ", "DELETE "]);
  });

  it("and its body goes as it did: to its end, of any size, ended by its caller", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { job: { jobNumber: "J1" } } }] });
    const notes = "ü".repeat(300_000);
    expect(await fleet.createJob({ address: "a", jobNumber: "J1", notes })).toEqual({ job: { jobNumber: "J1" } });
    expect(JSON.parse(onlyRequest(api).body).notes).toBe(notes);

    api.script(silence);
    const controller = new AbortController();
    const call = failure(fleet.createJob({ address: "a" }, { signal: controller.signal }));
    await api.arrived(2);
    controller.abort();
    expect((await call).code).toBe("unknownOutcome");
  });
});

import { describe, expect, it } from "vitest";
import { type CallEvent, catalogue, createFleetTools, fleetToolsConfigFromEnv, toolAvailability, type WriteEvent } from "../src/index.ts";
import { CALLS, fleetUnderTest, JOB } from "./fleet-under-test.ts";

const READS = catalogue.filter(({ effect }) => effect === "read").map(({ name }) => name);
const WRITES = catalogue.filter(({ effect }) => effect !== "read").map(({ name }) => name);

it.each(catalogue.map((tool) => [tool.name, tool] as const))(
  "%s has validating schemas in both forms that frameworks read, and hints from its effect",
  (name, { inputSchema, inputJsonSchema, outputSchema, outputJsonSchema, effect, annotations }) => {
    for (const [schema, json] of [
      [inputSchema, inputJsonSchema],
      [outputSchema, outputJsonSchema],
    ] as const) {
      const { version, vendor, jsonSchema } = schema["~standard"];
      expect([version, vendor, jsonSchema.output({ target: "draft-07" })]).toEqual([1, "fleetwire", json]);
      // A framework may modify its copy.
      jsonSchema.input()["type"] = "string";
      expect(json["type"]).toBe("object");
    }
    const { validate } = inputSchema["~standard"];
    expect(validate(CALLS[name])).toEqual({ value: CALLS[name] });
    expect(validate({ ...CALLS[name], noSuchField: 1 })).toEqual({
      issues: [{ message: expect.stringMatching(/^noSuchField: is not a field of /), path: ["noSuchField"] }],
    });
    expect(validate("text")).toEqual({ issues: [{ message: expect.stringContaining("must be an object") }] });
    expect(outputSchema["~standard"].validate([])).toHaveProperty("issues");
    const [readOnly, destructive, idempotent] = [effect === "read", effect === "update", effect !== "create"];
    expect(annotations).toEqual({ readOnly, destructive, idempotent, openWorld: true });
  },
);

it("every tool is refused with invalid arguments, is previewed without a change, and then runs as its schema says", async () => {
  const { tools, writes, requests } = await fleetUnderTest();
  for (const { name, title, effect, operations, outputSchema, execute, preview } of tools.tools) {
    const [sent, written] = [requests(), writes().length];
    for (const result of [await execute({ noSuchField: 1 }, { approved: true }), await preview({ noSuchField: 1 })])
      expect(result).toEqual({
        ok: false,
        text: expect.stringMatching(new RegExp(`^input: ${name}: .*noSuchField: is not a field of ${name}`)),
        structured: { error: { code: "input", changed: "no" } },
      });
    expect(requests()).toBe(sent);
    const shown = await preview(CALLS[name]);
    const { preview: lines = [] } = shown.structured as { preview?: string[] };
    expect(shown).toEqual({ ok: true, text: lines.join("\n"), structured: { result: "preview", preview: lines } });
    expect(lines[0]).toContain(title);
    if (effect === "read") expect([lines.length, requests()]).toEqual([1, sent]);
    expect(writes()).toHaveLength(written);
    const result = await execute(CALLS[name], { approved: true });
    expect(result).toMatchObject({ ok: true, text: expect.stringMatching(/\S/) });
    expect(outputSchema["~standard"].validate(result.structured)).toEqual({ value: result.structured });
    expect(writes().length - written, name).toBe(operations.some((one) => one.effect !== "read") ? 1 : 0);
  }
});

describe("a preview", () => {
  it("of a read is one line", async () => {
    const { tools } = await fleetUnderTest();
    const { text } = (await tools.byName.get("locate_vehicle")?.preview({ query: "truck\n12\u202e" })) ?? {};
    expect(text).toBe('Locate vehicle (read-only): query: "truck\\n12\\u202e"');
  });

  it("of an uncertain name is the question", async () => {
    const { tools } = await fleetUnderTest();
    const result = await tools.byName.get("create_job")?.preview({ ...JOB, vehicleName: "truck" });
    expect(result).toMatchObject({ ok: true, structured: { result: "ambiguous", field: "vehicleName" } });
  });
});

describe("call", () => {
  it("says that there is no such tool", async () => {
    const { tools } = await fleetUnderTest();
    for (const name of ["locate", "__proto__", "constructor", "", "x".repeat(1_000), Symbol("s") as never, null as never, {} as never]) {
      const { text, structured } = await tools.call(name, {});
      expect(text).toMatch(/^input: there is no tool .*(; available: locate_vehicle, .*\. This call|Next: Call one of these\.)/);
      expect(structured).toEqual({ error: { code: "input", changed: "no" } });
    }
  });

  it("says why write tools are unavailable in read-only mode", async () => {
    const { tools, writes } = await fleetUnderTest({ config: { readOnly: true } });
    expect(tools.tools.map(({ name }) => name)).toEqual(READS);
    for (const name of WRITES) {
      expect(tools.byName.has(name)).toBe(false);
      expect(await tools.call(name, CALLS[name], { approved: true })).toMatchObject({
        ok: false,
        text: expect.stringContaining(`${name} is not available: it writes, and FLEET_READ_ONLY is set`),
      });
    }
    expect(tools.instructions).not.toMatch(/dryRun|create_job/);
    expect(writes()).toEqual([]);
  });

  it("ends when its signal fires or its time is up", async () => {
    const { tools } = await fleetUnderTest({ sandbox: { faults: "latency=5000" } });
    const options = [{ signal: AbortSignal.timeout(50) }, { timeout: 50 }, { signal: AbortSignal.abort() }];
    const ended = await Promise.all(options.map((option) => tools.call("locate_vehicle", { query: "truck 12" }, option)));
    expect(ended.map(({ structured }) => structured)).toMatchObject(["aborted", "timeout", "aborted"].map((code) => ({ error: { code } })));
  });

  it("calls hooks and ignores their errors", async () => {
    const calls: CallEvent[] = [];
    const writes: WriteEvent[] = [];
    const failing =
      <Event>(events: Event[]) =>
      (event: Event) => {
        throw new Error(`the log is full: ${events.push(event)}`);
      };
    const { tools } = await fleetUnderTest({ options: { onCall: failing(calls), onWrite: failing(writes) } });
    const progress = () => {
      throw new Error("nobody listens");
    };
    expect((await tools.call("summarize_driver_activity", { period: "yesterday" }, { progress })).ok).toBe(true);
    expect((await tools.call("create_job", JOB, { approved: true })).ok).toBe(true);
    await tools.call("create_job", { ...JOB, jobTitle: "Another" }, { elicitation: {} });
    await tools.call("locate_vehicle", {});
    await tools.readMap([]);
    expect(calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ["summarize_driver_activity", "ok"],
      ["create_job", "ok"],
      ["create_job", "question"],
      ["locate_vehicle", "input"],
      ["read_map", "ok"],
    ]);
    expect(writes.map(({ outcome }) => outcome)).toEqual([undefined, "created"]);
    expect(writes.map(({ jobNumber }) => jobNumber)).toEqual([expect.stringMatching(/^FW-/), writes[0]?.jobNumber]);
  });
});

it("marks sandbox results in text and record, questions and failures included", async () => {
  const tools = (await fleetUnderTest()).another({ sandbox: true });
  for (const result of [
    await tools.call("create_job", JOB, { elicitation: {} }),
    await tools.call("create_job", JOB),
    await tools.call("create_job", {}),
    await tools.call("none", {}),
    await tools.byName.get("create_job")?.preview(JOB),
    await tools.byName.get("locate_vehicle")?.preview({ query: "x" }),
    await tools.readVehicle("truck 12"),
  ]) {
    expect(result?.text).toMatch(/^\[sandbox\] (?!\[sandbox\])/);
    expect(result?.structured).toHaveProperty("sandbox", true);
  }
});

describe("the configuration", () => {
  it("needs no more than the client", () => {
    const credentials = { clientId: "canary-id", clientSecret: "canary-secret" };
    const { tools, instructions } = createFleetTools({ customerId: "c1", credentials, servers: { base: "https://fleet.example.com" } });
    expect(tools.map(({ name }) => name)).toContain("locate_vehicle");
    expect(instructions).toContain("Fleet data");
  });

  it("says which tools are missing, and why", async () => {
    const env = { FLEET_CUSTOMER_ID: "c1", FLEET_CLIENT_ID: "canary-id", FLEET_CLIENT_SECRET: "canary-secret" };
    const config = fleetToolsConfigFromEnv({ ...env, FLEET_BASE_URL: "https://fleet.example.com" });
    const why = toolAvailability(config).flatMap((entry) => (entry.available ? [] : [`${entry.tool.name}: ${entry.reason}`]));
    expect(why).toContain("create_job: FLEET_JOB_URL and FLEET_AUTH_URL are not set");
  });
});

it("one vehicle is read by its name", async () => {
  const { tools } = await fleetUnderTest();
  expect(await tools.readVehicle("truck 12")).toMatchObject({ ok: true, structured: { vehicle: { assetName: "Truck 12" } } });
  expect(await tools.readVehicle("truck")).toMatchObject({ ok: true, structured: { result: "ambiguous" } });
  expect(await tools.readVehicle("nobody")).toMatchObject({ ok: true, text: "no vehicle matches", structured: { result: "notFound" } });
});

it("no names are completed while the service fails", async () => {
  const { tools } = await fleetUnderTest({ sandbox: { faults: "503" } });
  expect(await tools.completeNames("vehicle", "truck 1")).toEqual([]);
});

import { defineOperation, fieldMetadata, type Operation, operations } from "@fleetwire/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import type { ReadTool } from "../src/fleet/fleet-context.ts";
import type { ToolResult } from "../src/model/tool-result.ts";
import { derivedTool } from "../src/query/derived-tool.ts";
import { runTool } from "../src/run-tool.ts";
import { largestWithinBudget, resultTokens } from "../src/text/token-budget.ts";
import { createToolContext } from "../src/tool-context.ts";
import { createJob } from "../src/tools/create-job.ts";
import { updateGroup } from "../src/tools/update-group.ts";
import type { Tool } from "../src/writes/write-tool.ts";
import { type Asked, cannedService, NOW, toolsOver } from "./canned-service.ts";

afterEach(() => void vi.restoreAllMocks());

/** Counts how often a schema parses a value. */
const parsesOf = (schema: z.ZodType) => vi.spyOn(schema, "safeParse").mock.calls;

const Id = z.string().register(fieldMetadata, { holds: "id" });

const listVisits: Operation = defineOperation({
  name: "listVisits",
  summary: "List visits",
  source: "our own notes",
  method: "GET",
  path: "/public/v1/customer/{customerId}/visits",
  servers: ["base"],
  auth: ["basic"],
  query: { siteId: Id.optional(), atLeast: z.int().optional() },
  output: z.array(z.object({ visitId: Id.optional() })),
  effect: "read",
  tool: {
    title: "List visits",
    description: "Visits.",
    toolset: "visits",
    rows: { path: "", noun: ["visit", "visits"], columns: ["visitId"] },
  },
}) as Operation;

const FLEET = [
  { assetId: "v12", assetName: "Truck 12", assetGroupId: "north", assetGroupName: "North", driverId: "p1", driverName: "Ann Lee" },
];

const respond = ({ operation, fields }: Asked): unknown => {
  if (operation === "listLivePositions") return FLEET;
  if (operation === "listVisits") return [{ visitId: "x1" }];
  return operation === "createJob" ? { job: { ...fields, jobId: "j1" } } : fields;
};

const serve = (env: Record<string, string> = {}) =>
  cannedService(respond, [listVisits, ...Object.values<Operation>(operations)]).then((service) => ({
    service,
    ...toolsOver(service, env),
  }));

describe("arguments are parsed", () => {
  const listed = derivedTool(listVisits);
  it.each<[string, Tool, Operation, Record<string, unknown>, Record<string, string>, [tools: number, operation: number]]>([
    // Once by the tool and once by the client.
    ["of a read", listed, listVisits, { siteId: "s1" }, {}, [1, 1]],
    ["of a read, repaired: once before and once after", listed, listVisits, { atLeast: "3", siteId: null }, {}, [2, 1]],
    // The plan of a write, which is shown and signed, is parsed too: it differs from the arguments.
    ["of a creation", createJob, operations.createJob, { address: "Lyon" }, { FLEET_CONFIRM: "never" }, [1, 2]],
    [
      "of a creation with exact names",
      createJob,
      operations.createJob,
      { address: "Lyon", vehicleName: "Truck 12" },
      { FLEET_CONFIRM: "never" },
      [1, 2],
    ],
    [
      "of a creation completed from the fleet",
      createJob,
      operations.createJob,
      { address: "Lyon", vehicleName: "truck 12" },
      { FLEET_CONFIRM: "never" },
      [1, 3],
    ],
    ["of a previewed creation", createJob, operations.createJob, { address: "Lyon" }, {}, [1, 1]],
    ["of a dry run", createJob, operations.createJob, { address: "Lyon", dryRun: true }, {}, [1, 2]],
    ["of an update", updateGroup, operations.updateGroup, { group: "North", name: "N" }, { FLEET_CONFIRM: "never" }, [1, 2]],
  ])("once per transformation: %s", async (_, tool, operation, args, env, [byTool, byOperation]) => {
    const { call } = await serve(env);
    const [given, sent] = [parsesOf(tool.input), parsesOf(operation.input)];
    await call(tool, args);
    expect({ byTool: given.length, byOperation: sent.length }, "see packages/tools/src/arguments/checked-arguments.ts").toEqual({
      byTool,
      byOperation,
    });
  });
});

describe("a read tool", () => {
  const ROWS = 200;

  /** A list that counts how often it is computed and rendered, and at what size. */
  function counting() {
    const counts = { runs: 0, kept: 0 };
    const tool: ReadTool = {
      ...(derivedTool(operations.listLivePositions) as ReadTool),
      run: async (_, { fleet, callOptions }) => {
        counts.runs++;
        await fleet.listLivePositions({}, callOptions);
        const resultOf = (rows: number): ToolResult => ({
          text: `${rows} rows`,
          structured: { rows: Array.from({ length: rows }, (_, at) => `row ${at}`) },
        });
        return (budget) => {
          counts.kept++;
          return largestWithinBudget(ROWS, budget, resultOf) ?? resultOf(0);
        };
      },
    };
    return { tool, counts };
  }

  it("runs and is rendered once, with the age of its data, in any budget", async () => {
    const { service, context } = await serve({ FLEET_SNAPSHOT_SECONDS: "60" });
    let now = NOW;
    const withAge = createToolContext(toolsOver(service).context.fleet, { ...context.settings, snapshotSeconds: 60 } as never, () => now);
    await withAge.fleet.listLivePositions();
    now += 7_000;
    for (let maxResultTokens = 300; maxResultTokens < 360; maxResultTokens++) {
      const { tool, counts } = counting();
      const settings = { ...withAge.settings, maxResultTokens };
      const result = (await runTool(tool, {}, { ...withAge, settings })) as ToolResult;
      expect(counts, "see packages/tools/src/run-tool.ts").toEqual({ runs: 1, kept: 1 });
      expect(result.structured).toMatchObject({ readSecondsAgo: 7 });
      expect(result.text).toMatch(/\nRead 7 s ago\.$/);
      expect(resultTokens(result)).toBeLessThanOrEqual(maxResultTokens);
      // Not one more row would have fit.
      const { rows } = result.structured as { rows: string[] };
      const fuller = { ...result, structured: { ...result.structured, rows: [...rows, `row ${rows.length}`, "row"] } };
      expect(resultTokens(fuller)).toBeGreaterThan(maxResultTokens);
    }
  });
});

import { defineOperation, Identifier, openApiDocument, operations } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { checkCoverage } from "../src/checks/coverage.ts";
import { checkInterface } from "../src/checks/interface-check.ts";
import { InterfaceDocument, loadFixtures, loadInterface } from "../src/index.ts";
import type { Json } from "../src/interface/facts.ts";
import { missedDeletions } from "./planted-deletions.ts";

const described = loadInterface();

/** The interface document with another value at a place, or without it. */
function changed(path: string, value?: unknown, document: Json = described.document): Json {
  const copy = structuredClone(document);
  const parts = path.split(" ");
  const last = parts.pop() ?? "";
  const holder = parts.reduce<Json>((inner, part) => inner[part] as Json, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

const check = (stated: Json, contract?: Json) => checkInterface(new InterfaceDocument(stated), contract).findings;
const problemsIn = (stated: Json, contract?: Json) => check(stated, contract).map(({ problem }) => problem);

describe("the interface document and core's are compared both ways", () => {
  const field = (shape: string, name: string) => `components schemas ${shape} properties ${name}`;
  const GROUP = "paths /public/v1/customer/{customerId}/group";
  const JOB = "paths /jobs/job/create";

  it.each<[string, string, unknown, string]>([
    [
      "a field that core lacks",
      field("Fault", "cause"),
      { type: "string" },
      "core lacks: listVehicleFaults 200.items[].faults[].cause type string",
    ],
    ["a field of core alone", field("Fault", "code"), undefined, "core adds: listVehicleFaults 200.items[].faults[].code type string"],
    ["a format", `${field("LivePosition", "speed")} format`, "float", "core adds: listLivePositions 200[].speed format double"],
    ["an enum value", `${field("Activity", "type")} enum`, ["A"], "core lacks: queryTachoActivity 200.data[].activities[].type enum A"],
    ["a unit", `${field("LivePosition", "odometer")} description`, "miles", "core lacks: listLivePositions 200[].odometer in miles"],
    ["a rule of one field", `${field("Group", "name")} maxLength`, 9, "core adds: updateGroup body.name maxLength 255"],
    ["a required field", "components schemas TachoQuery required", ["endTime"], "core adds: queryTachoActivity body.startTime required"],
    ["a server", `${JOB} servers`, [{ url: "{base_url}" }], "core lacks: createJob server {base_url}"],
    ["a scheme", `${JOB} post security`, [{ bearer: [] }], "core adds: createJob security apiKey header x-connect-token in TOKEN"],
    [
      "a failure of another field",
      `${GROUP} put responses 409 description`,
      "The name is taken",
      "core adds: updateGroup 409 names parentId",
    ],
  ])("%s", (_, path, value, problem) => {
    expect(problemsIn(changed(path, value))).toContain(problem);
  });

  it("and match", () => {
    expect(problemsIn(described.document)).toEqual([]);
  });

  it("and a listed difference that is none any more", () => {
    const contract = changed(
      "components schemas LivePosition properties engineTotalHoursType description",
      "Read or calculated",
      openApiDocument(),
    );
    expect(problemsIn(described.document, contract)).toEqual([expect.stringMatching(/^no longer a difference: .*engineTotalHoursType/)]);
  });

  it("for every operation, such as one of your own", () => {
    const path = "/public/v1/customer/{customerId}/vehicle/{vehicleId}/stops";
    const definition = {
      name: "listStops",
      summary: "List stops",
      source: "notes",
      method: "GET",
      path,
      servers: ["base"],
      auth: ["basic"],
      query: {},
      effect: "read",
    } as const;
    const own = (vehicleId: z.ZodType) =>
      openApiDocument({
        operations: { ...operations, listStops: defineOperation({ ...definition, params: { vehicleId }, output: z.array(z.string()) }) },
      });
    const [vehicleId, listed] = [
      { name: "vehicleId", in: "path", required: true, schema: { $ref: "#/components/schemas/Identifier" } },
      { type: "array", items: { type: "string" } },
    ];
    const stated = changed(`paths ${path}`, {
      servers: [{ url: "{base_url}" }],
      get: {
        operationId: "listStops",
        security: [{ basic: [] }],
        parameters: [{ $ref: "#/components/parameters/customerId" }, vehicleId],
        responses: { 200: { description: "Stops", content: { "application/json": { schema: listed } } } },
      },
    });
    expect(problemsIn(stated, own(Identifier))).toEqual([]);
    expect(problemsIn(stated, own(z.string()))).toEqual(["core lacks: listStops path.vehicleId pattern ^[A-Za-z0-9]+$"]);
    expect(check(stated)[0]).toEqual({ check: "interface", subject: "listStops", problem: `core lacks: listStops is GET ${path}` });
  });

  it("and no fact of core's can be deleted unnoticed (each in interface-deletions.long.ts)", () => {
    const { missed, found } = missedDeletions(24, 5);
    expect(missed).toEqual([]);
    expect(found).toBeGreaterThan(40);
  });
});

describe("a response is checked against the document alone", () => {
  it.each<[unknown, string[]]>([
    [[{ speed: "fast" }], ["$[*].speed: Invalid input: expected number, received string"]],
    [[{ speed: 1 }, { colour: "red" }, { colour: "blue" }], ['$[*]: Unrecognized key: "colour"']],
    [[{ eventType: "flying" }], [expect.stringContaining("$[*].eventType: Invalid option")]],
    [[{ fuelType: [5] }], [expect.stringContaining("$[*].fuelType[*]: Invalid option")]],
    [{}, ["$: Invalid input: expected array, received object"]],
    [[{ speed: 5, eventType: "driving", date: "2026-11-20T08:30:59Z" }], []],
  ])("%j", (body, problems) => {
    expect(described.problems("listLivePositions", 200, body)).toEqual(problems);
  });
});

describe("coverage is counted against the document", () => {
  const without = (pattern: RegExp) => loadFixtures().filter(({ id }) => !pattern.test(id));

  it.each([
    [/list-live-positions-event-types/, "listLivePositions status 200 $[*].eventType: no fixture has"],
    [/update-group-vehicle-not-visible|update-group-several/, "updateGroup: no fixture with status 400 for vehicleIds"],
    [/-bearer$|query-tacho/, "listLivePositions: no fixture with the scheme bearer"],
    [/create-job-every-field/, "createJob request $.visitResults: not in any fixture"],
  ])("without %s it has a gap", (pattern, gap) => {
    const { findings } = checkCoverage(without(pattern), described);
    expect(findings.find(({ problem }) => problem.startsWith(gap))).toMatchObject({ check: "coverage", subject: /^\w+/.exec(gap)?.[0] });
  });
});

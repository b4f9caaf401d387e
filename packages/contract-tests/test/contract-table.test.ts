import { describe, expect, it } from "vitest";
import { checkCoverage, compareWithContract } from "../src/checks/index.ts";
import { ContractTable, coverageOf, gapsOf, loadFixtures, loadTable } from "../src/index.ts";
import { type TableRow, tableProblems } from "../src/table/index.ts";

const table = loadTable();
const findingsOf = async (rows: readonly TableRow[]) =>
  (await compareWithContract(new ContractTable(rows))).findings.map(({ problem }) => problem);

/** The table with one row changed or removed. */
const changed = (wanted: Partial<TableRow>, change?: Partial<TableRow>): TableRow[] => {
  const fits = (row: TableRow) => Object.entries(wanted).every(([key, value]) => row[key] === value);
  expect(table.rows.filter(fits).length, JSON.stringify(wanted)).toBeGreaterThan(0);
  return table.rows.flatMap((row) => (fits(row) ? (change ? [{ ...row, ...change }] : []) : [row]));
};

describe("the table and core are compared both ways", () => {
  it("and match", async () => {
    expect(await findingsOf(table.rows)).toEqual([]);
  });

  it.each<[string, TableRow[], string]>([
    [
      "a field that core lacks",
      changed({ shape: "Fault", name: "code" }, { name: "faultCode" }),
      "core lacks: listVehicleFaults 200.items[].faults[].faultCode type string",
    ],
    [
      "a field without a row",
      changed({ shape: "Fault", name: "code" }),
      "core has a fact that no row states: listVehicleFaults 200.items[].faults[].code type string",
    ],
    [
      "a type",
      changed({ shape: "Pagination", name: "pageSize" }, { type: "string" }),
      "core lacks: listVehicleFaults 200.pagination.pageSize type string",
    ],
    [
      "a format",
      changed({ shape: "LivePosition", name: "speed" }, { format: "float" }),
      "core lacks: listLivePositions 200.[].speed format float",
    ],
    [
      "an enum value",
      changed({ shape: "LivePosition", kind: "enum", value: "ping" }),
      "core has a fact that no row states: listLivePositions 200.[].eventType enum ping",
    ],
    ["a method", changed({ operation: "updateGroup", kind: "request" }, { method: "PATCH" }), "core lacks: updateGroup request PATCH"],
    ["a server", changed({ operation: "createJob", kind: "request" }, { server: "base" }), "core lacks: createJob server base"],
    [
      "a scheme",
      changed({ operation: "listVehicleFaults", kind: "auth" }, { scheme: "bearer" }),
      "core lacks: listVehicleFaults auth bearer",
    ],
    [
      "a header",
      changed({ operation: "createJob", kind: "header", name: "content-type" }, { value: "text/json" }),
      "core lacks: createJob header content-type: text/json",
    ],
    [
      "a content type that no row states",
      changed({ operation: "createJob", kind: "header", name: "content-type" }).map(({ contentType: _, ...row }) => row),
      "core has a fact that no row states: createJob header content-type: ",
    ],
    [
      "a status",
      changed({ operation: "updateGroup", kind: "status", status: 409 }, { status: 410 }),
      "core lacks: updateGroup 410 type object",
    ],
    [
      "a limit",
      changed({ operation: "createJob", kind: "limit", name: "resources" }, { maxItems: 4 }),
      "core lacks: createJob body.resources maxItems 4",
    ],
    [
      "a required flag",
      changed({ operation: "queryTachoActivity", kind: "body", name: "limit" }, { required: true }),
      "core lacks: queryTachoActivity body.limit required",
    ],
    [
      "a time format",
      changed({ operation: "listVehicleFaults", name: "startDate" }, { written: ["YYYY-MM-DDTHH:mmZ"] }),
      "core lacks: listVehicleFaults query.startDate written YYYY-MM-DDTHH:mmZ",
    ],
    [
      "a unit",
      changed({ shape: "LivePosition", name: "odometer" }, { unit: "miles" }),
      "listLivePositions 200.[].odometer: its description does not mention miles",
    ],
    [
      "a rule",
      changed({ rule: "requiredTogether" }, { fields: ["lat", "jobTitle"] }),
      "core lacks: createJob rule requiredTogether lat, jobTitle",
    ],
    ["an unknown kind", changed({ kind: "version", operation: "updateGroup" }, { kind: "colour" }), "unknown kind of row: colour"],
  ])("%s", async (_, rows, message) => {
    expect((await findingsOf(rows)).join("\n")).toContain(message);
  });
});

it.each<[string, TableRow[]]>([
  ["listVehicleFaults", changed({ shape: "Fault", name: "code" }, { name: "faultCode" })],
  ["listLivePositions", changed({ shape: "LivePosition", name: "odometer" }, { unit: "miles" })],
])("a difference of %s names it", async (operation, rows) => {
  const { findings } = await compareWithContract(new ContractTable(rows));
  expect(new Set(findings.map(({ subject }) => subject))).toEqual(new Set([operation]));
});

describe("a response is checked against the table alone", () => {
  it.each<[string, unknown, string]>([
    ["a wrong type", [{ speed: "fast" }], '[].speed is "fast", but the table says number'],
    ["an unknown field", [{ colour: "red" }], "[].colour has no row in the table"],
    ["an unknown value", [{ eventType: "flying" }], '[].eventType is "flying"'],
    ["an item of a list", [{ fuelType: [5] }], "[].fuelType[] is 5, but the table says string"],
    ["another shape", {}, "the body is {}, but the table says array"],
    ["nothing", [{ speed: 5, eventType: "driving" }], ""],
  ])("%s", (_, body, message) => {
    expect(tableProblems(table, "listLivePositions", 200, body).join("\n")).toContain(message);
    if (message === "") expect(tableProblems(table, "listLivePositions", 200, body)).toEqual([]);
  });

  it("a required field, in every record", () => {
    expect(tableProblems(table, "queryTachoActivity", 200, { data: [] })).toEqual([
      "count is missing, but the table says that it is required",
    ]);
  });
});

describe("coverage is counted against the table", () => {
  const without = (pattern: RegExp) => loadFixtures().filter(({ id }) => !pattern.test(id));

  it.each([
    [/list-live-positions-event-types/, "listLivePositions status 200 [].eventType: no fixture has"],
    [/update-group-(name-taken|parent-is)/, "updateGroup: no fixture with status 409"],
    [/update-group-vehicle-not-visible|update-group-several/, "updateGroup: no fixture for vehicle-not-visible"],
    [/-bearer$|query-tacho/, "listLivePositions: no fixture with the scheme bearer"],
    [/create-job-every-field/, "createJob request visitResults: not in any fixture"],
  ])("without %s coverage has a gap", (pattern, gap) => {
    expect(gapsOf(coverageOf(without(pattern), table)).join("\n")).toContain(gap);
    const { findings } = checkCoverage(without(pattern), table);
    expect(findings.find(({ problem }) => problem.startsWith(gap))).toMatchObject({ check: "coverage", subject: /^\w+/.exec(gap)?.[0] });
  });
});

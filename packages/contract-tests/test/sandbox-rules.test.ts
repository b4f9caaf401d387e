import { describe, expect, it } from "vitest";
import { checkEach } from "../src/checks/check-result.ts";
import { ruleProblems } from "../src/checks/sandbox-rules.ts";
import { loadFixtures, type NamedFixture } from "../src/index.ts";
import type { ProviderSandbox } from "../src/provider/provider-sandbox.ts";
import { SPEED_SENSITIVE_GROUP } from "../src/provider/states.ts";

type Json = Record<string, unknown>;

const fixtures = loadFixtures();

/** A fixture that requests this, and a provider that responds to changed requests as `respond` says. */
async function problems(
  operation: string,
  requested: Json,
  body: unknown,
  respond: (changed: Json) => unknown = () => ({}),
  given = "a state",
) {
  const fixture = fixtures.find((one) => one.operation === operation);
  if (!fixture) throw new Error(`no fixture of ${operation}`);
  const part = fixture.request.method === "GET" ? "query" : "body";
  const provider = {
    translated: (value: unknown) => value,
    send: async ({ request }: NamedFixture) => ({ status: 200, headers: new Headers(), body: respond(request[part] as Json) }),
  } as unknown as ProviderSandbox;
  const asking = { ...fixture, given, request: { ...fixture.request, query: {}, body: undefined, [part]: requested } } as NamedFixture;
  return ruleProblems(asking, provider, body);
}

describe("a response of the sandbox", () => {
  it("must differ from the one without its only filter", async () => {
    const all = [{ assetId: "v1" }];
    const same = ["the response is the same without vehicleIds"];
    expect(await problems("listLivePositions", { vehicleIds: "v1" }, all, ({ vehicleIds }) => (vehicleIds ? [] : all))).toEqual(same);
    expect(await problems("listLivePositions", { vehicleIds: "v1" }, all, () => [...all, {}])).toEqual([]);
    expect(await problems("listLivePositions", { vehicleIds: "v1", driverIds: "p1" }, all, () => all)).toEqual([]);
    expect(await problems("listLivePositions", {}, all, () => all)).toEqual([]);
  });

  it("must follow the rules of its request", async () => {
    expect(await problems("listLivePositions", { vehicleIds: "v1" }, [{ assetId: "v2" }])).toEqual([
      "$[*].assetId: does not match vehicleIds",
    ]);
  });

  it.each<[string, Json, Json[], string[]]>([
    [
      SPEED_SENSITIVE_GROUP,
      { hideSpeedIfSpeedSensitive: "true" },
      [{ speed: 0 }, { speed: 5 }],
      ["every record has a speed, but hideSpeedIfSpeedSensitive must hide some"],
    ],
    [SPEED_SENSITIVE_GROUP, { hideSpeedIfSpeedSensitive: "true" }, [{ speed: 0 }, {}], []],
    [SPEED_SENSITIVE_GROUP, { hideSpeedIfSpeedSensitive: "false" }, [{ speed: 0 }], []],
    ["a state", { hideSpeedIfSpeedSensitive: "true" }, [{ speed: 0 }], []],
  ])("in the state %j, asked with %j, of %j: %j", async (given, requested, records, found) => {
    expect(await problems("listLivePositions", requested, records, undefined, given)).toEqual(found);
  });

  const faults = (count: number, pagination: Json, from = 0) => ({
    items: Array.from({ length: count }, (_, at) => ({ id: `v${from + at}` })),
    pagination,
  });
  const activities = (count: number, total: number, from = 0) => ({
    data: Array.from({ length: count }, (_, at) => ({ driverId: `p${from + at}` })),
    count: total,
  });

  it.each<[string, string, Json, unknown, string[]]>([
    ["a whole page", "listVehicleFaults", { pageSize: "5" }, faults(5, { totalItems: 12, totalPages: 3, pageSize: 5 }), []],
    [
      "a last page",
      "listVehicleFaults",
      { pageSize: "5", pageIndex: "2" },
      faults(2, { totalItems: 12, totalPages: 3, pageSize: 5, pageIndex: 2 }, 10),
      [],
    ],
    [
      "a page after the last",
      "listVehicleFaults",
      { pageSize: "5", pageIndex: "3" },
      faults(0, { totalItems: 12, totalPages: 3, pageSize: 5, pageIndex: 3 }),
      [],
    ],
    ["a page of the service's own size", "listVehicleFaults", {}, faults(3, { totalItems: 4, totalPages: 2, pageSize: 3 }), []],
    [
      "too few records",
      "listVehicleFaults",
      { pageSize: "5" },
      faults(4, { totalItems: 12, totalPages: 3, pageSize: 5 }),
      ["items has 4 records, expected 5 of 12"],
    ],
    [
      "too many on the last page",
      "listVehicleFaults",
      { pageSize: "5", pageIndex: "2" },
      faults(3, { totalItems: 12, totalPages: 3, pageSize: 5, pageIndex: 2 }, 10),
      ["items has 3 records, expected 2 of 12"],
    ],
    [
      "too few pages",
      "listVehicleFaults",
      { pageSize: "5" },
      faults(5, { totalItems: 12, totalPages: 2, pageSize: 5 }),
      ["the response states 2 pages in total, expected 3"],
    ],
    [
      "the first page again",
      "listVehicleFaults",
      { pageSize: "5", pageIndex: "1" },
      faults(5, { totalItems: 12, totalPages: 3, pageSize: 5, pageIndex: 1 }),
      ["$.items: the first page again"],
    ],
    ["entries after others", "queryTachoActivity", { skip: 2, limit: 2 }, activities(2, 5, 2), []],
    ["the last entries", "queryTachoActivity", { skip: 4, limit: 2 }, activities(1, 5, 4), []],
    ["too few entries", "queryTachoActivity", { skip: 2, limit: 2 }, activities(1, 5, 2), ["data has 1 records, expected 2 of 5"]],
    ["the first entries again", "queryTachoActivity", { skip: 2, limit: 2 }, activities(2, 5), ["$.data: the first page again"]],
  ])("with %s", async (_, operation, requested, body, found) => {
    const first = operation === "listVehicleFaults" ? faults(5, {}) : activities(2, 5);
    expect(
      await problems(operation, requested, body, ({ pageIndex = 0, skip = 0 }) => (Number(pageIndex) + Number(skip) === 0 ? first : body)),
    ).toEqual(found);
  });

  it("must state a total", async () => {
    expect(await problems("queryTachoActivity", { limit: 2 }, { data: [] })).toEqual([
      "data has 0 records, expected NaN of an unknown number",
    ]);
  });
});

describe("the checks of subjects", () => {
  const subjects = ["good", "bad", "none", "broken", "odd"].map((id) => ({ id }));
  const problemsOf = async ({ id }: { id: string }) => {
    if (id === "broken") throw new Error("out of order");
    if (id === "odd") throw "odd";
    return id === "none" ? { skipped: "nothing to check" } : id === "bad" ? ["a", "b"] : [];
  };

  it("report problems, skips and what they threw", async () => {
    expect(await checkEach("client", subjects, problemsOf)).toEqual({
      check: "client",
      checked: 4,
      findings: [
        { check: "client", subject: "bad", problem: "a" },
        { check: "client", subject: "bad", problem: "b" },
        { check: "client", subject: "broken", problem: "the check threw: out of order" },
        { check: "client", subject: "odd", problem: "the check threw: odd" },
      ],
      skips: [{ check: "client", subject: "none", reason: "nothing to check" }],
    });
  });

  it("stop at the first problem on request", async () => {
    const { checked, findings } = await checkEach("client", subjects, problemsOf, { bail: true });
    expect([checked, findings.map(({ subject }) => subject)]).toEqual([2, ["bad", "bad"]]);
  });
});

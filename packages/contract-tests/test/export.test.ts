import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadFixtures, loadTable, type NamedFixture, presenceOf, STATE_PATH, startProvider } from "../src/index.ts";
import { tableProblems } from "../src/table/index.ts";
import { run, temporaryFolder } from "./run-command.ts";

// biome-ignore lint/suspicious/noExplicitAny: other tools' files, of which tests read what they expect
async function exported(format: string): Promise<any> {
  const file = join(temporaryFolder(), "out.json");
  const { code, stderr } = await run(["export", "--format", format, "--out", file]);
  expect(code, stderr).toBe(0);
  const content = JSON.parse(readFileSync(file, "utf8"));
  const written = content.interactions ?? content.log?.entries;
  if (written) expect(stderr).toContain(`: ${written.length} of ${loadFixtures().length} fixtures`);
  return content;
}

describe("export", () => {
  it("pact has the reproducible fixtures, each with its state, matched by type", async () => {
    const { interactions, metadata } = await exported("pact");
    expect(metadata.pactSpecification.version).toBe("3.0.0");
    const taken = interactions.find(({ description }: { description: string }) => description.includes("update-group-name-taken"));
    expect(taken).toMatchObject({
      providerStates: [{ name: "a fleet with groups", params: { groups: [{ id: "g1002" }, { id: "g1003", name: "Depot" }] } }],
      request: { method: "PUT", path: "/public/v1/customer/c1001/group", body: { id: "g1002", name: "Depot" } },
      response: { status: 409, matchingRules: { body: { "$.offendingFields": { matchers: [{ match: "type" }] } } } },
    });
  });

  it("har has only what the table describes", async () => {
    const table = loadTable();
    const { log } = await exported("har");
    expect(log.version).toBe("1.2");
    const fixtures = new Map(loadFixtures().map((fixture) => [fixture.id, fixture]));
    expect(log.entries.length).toBeGreaterThan(80);
    for (const { comment, request, response } of log.entries) {
      const fixture = fixtures.get(comment);
      expect(request.url, comment).toContain(fixture?.request.path);
      expect(tableProblems(table, fixture?.operation ?? "", response.status, JSON.parse(response.content.text)), comment).toEqual([]);
    }
  });

  it("openapi has the fixtures as examples", async () => {
    const { paths } = await exported("openapi");
    const { content } = paths["/public/v1/customer/{customerId}/group"].put.responses[409];
    expect(content["application/json"].examples["documented.update-group-name-taken"]).toMatchObject({ summary: expect.any(String) });
    expect(content["application/json"].example).toBeUndefined();
  });

  it("requires a format", async () => {
    const { code, stderr } = await run(["export"]);
    expect(stderr).toContain("--format");
    expect(code).toBe(2);
  });
});

describe("the provider for other tools", () => {
  it("responds to recorded requests in the last posted state", async () => {
    const provider = await startProvider();
    onTestFinished(() => provider.close());
    const postState = (given: NamedFixture["given"]) => {
      const body = JSON.stringify(typeof given === "string" ? { state: given } : given);
      return fetch(provider.origin + STATE_PATH, { method: "POST", body });
    };
    const fixture = loadFixtures().find(({ id }) => id === "documented/update-group-name-taken");
    const send = () =>
      fetch(provider.origin + fixture?.request.path, {
        method: "PUT",
        headers: { "content-type": "application/json", ...fixture?.request.headers },
        body: JSON.stringify(fixture?.request.body),
      });
    expect((await postState(fixture?.given ?? "a fleet")).status).toBe(200);
    const taken = await send();
    expect([taken.status, await taken.json()]).toEqual([409, expect.objectContaining({ offendingFields: ["name"] })]);
    await postState("a fleet");
    expect((await send()).status).toBe(400);
    expect((await postState("a blue moon")).status).toBe(500);
  });
});

describe("presence", () => {
  it.each([
    [{ a: 1, b: { c: [] } }, ["a"]],
    [
      [{ a: 1 }, { a: 2, b: 3 }],
      ["[].a", "[].b?"],
    ],
    [
      { items: [{ faults: [{ code: "x" }, { code: "y", details: { fmi: "1" } }] }] },
      ["items[].faults[].code", "items[].faults[].details?.fmi"],
    ],
    [{ tags: ["a", null] }, ["tags[]"]],
    [[{ a: null }, { a: 5 }], ["[].a?"]],
  ])("of %j is %j", (value, places) => {
    expect(presenceOf(value)).toEqual(places);
  });
});

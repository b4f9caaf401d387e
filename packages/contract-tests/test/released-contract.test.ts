import { readFileSync } from "node:fs";
import { openApiDocument } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { factsOf } from "../src/interface/facts.ts";

const { breaksBetween, documentOf } = await import(new URL("../../../scripts/release/breaking-changes.mjs", import.meta.url).href);
const published = JSON.stringify(openApiDocument());
const GROUP = "/public/v1/customer/{customerId}/group";

// biome-ignore lint/suspicious/noExplicitAny: each row changes another part
type Any = any;

const positionsOf = (document: Any) => document.paths["/public/v1/customer/{customerId}/tracking/live"].get;
const fieldsOf = (document: Any) => document.components.schemas.LivePosition.properties;
const bodyOf = (document: Any) => Object.values<Any>(document.paths[GROUP].put.requestBody.content)[0].schema;

/** Edits of the published document, and a break that they are. */
const EDITS: [edit: string, change: (document: Any) => void, breaks: string | undefined][] = [
  ["an operation removed", (d) => delete d.paths[GROUP], "gone: updateGroup is PUT /public/v1/customer/{customerId}/group"],
  ["an operation renamed", (d) => (positionsOf(d).operationId = "positions"), "gone: listLivePositions server {base_url}"],
  [
    "a parameter removed",
    (d) => positionsOf(d).parameters.splice(-1),
    "gone: listLivePositions query.hideSpeedIfSpeedSensitive type boolean",
  ],
  [
    "an optional parameter added",
    (d) => positionsOf(d).parameters.push({ name: "x", in: "query", schema: { type: "string", maxLength: 9 } }),
    undefined,
  ],
  [
    "a required parameter added",
    (d) => positionsOf(d).parameters.push({ name: "x", in: "query", required: true, schema: { type: "string" } }),
    "new: listLivePositions query.x required",
  ],
  ["a response field removed", (d) => delete fieldsOf(d).speed, "gone: listLivePositions 200[].speed type number"],
  ["a response field added", (d) => (fieldsOf(d).colour = { type: "string" }), undefined],
  ["a response field of another type", (d) => (fieldsOf(d).speed.type = "string"), "new: listLivePositions 200[].speed type string"],
  [
    "a response field that may be null",
    (d) => (fieldsOf(d).speed.type = ["number", "null"]),
    "new: listLivePositions 200[].speed type null",
  ],
  ["a response field in another unit", (d) => (fieldsOf(d).speed.description = "Miles"), "gone: listLivePositions 200[].speed in km/h"],
  ["another word in a response", (d) => fieldsOf(d).eventType.enum.push("towing"), undefined],
  ["a word fewer in a response", (d) => fieldsOf(d).eventType.enum.pop(), undefined],
  ["a response field always present", (d) => (d.components.schemas.LivePosition.required = ["assetId"]), undefined],
  ["a request field removed", (d) => delete bodyOf(d).properties.name, "gone: updateGroup body.name type string"],
  ["a request field required", (d) => bodyOf(d).required.push("name"), "new: updateGroup body.name required"],
  ["a shorter request field", (d) => (bodyOf(d).properties.name.maxLength = 20), "new: updateGroup body.name maxLength 20"],
  ["a request field without a limit", (d) => delete bodyOf(d).properties.name.maxLength, undefined],
  ["words of a request field", (d) => (bodyOf(d).properties.name.enum = ["x"]), "new: updateGroup body.name enum x"],
  ["credentials no longer accepted", (d) => d.paths[GROUP].put.security.pop(), "gone: updateGroup security http bearer"],
  ["other credentials accepted", (d) => d.paths[GROUP].put.security.push({ connectToken: [] }), undefined],
  ["no success status", (d) => delete d.paths[GROUP].put.responses["200"], "gone: updateGroup 200 stated"],
  ["an error status added", (d) => (d.paths[GROUP].put.responses["410"] = { description: "Gone" }), undefined],
];

describe("a release", () => {
  it.each(EDITS)("%s", (_, change, breaks) => {
    const [before, after] = [JSON.parse(published), JSON.parse(published)];
    change(after);
    expect(breaksBetween(factsOf(before), factsOf(after))).toEqual(breaks === undefined ? [] : expect.arrayContaining([breaks]));
  });

  it.each<[string, (tool: Any) => unknown, string | undefined]>([
    ["other words", ({ inputSchema }) => (inputSchema.properties.time.description = "In minutes"), undefined],
    ["a new argument", ({ inputSchema }) => (inputSchema.properties.map = { type: "boolean" }), undefined],
    ["an argument removed", ({ inputSchema }) => delete inputSchema.properties.driver, "gone: where_was body.driver type string"],
    ["an argument required", ({ inputSchema }) => inputSchema.required.push("driver"), "new: where_was body.driver required"],
    ["another name", (tool) => (tool.name = "where_is"), "gone: where_was is POST /where_was"],
  ])("of tools with %s", (_, change, breaks) => {
    const before = JSON.parse(readFileSync(new URL("../../mcp-server/snapshots/tools/where_was.json", import.meta.url), "utf8"));
    const after = structuredClone(before);
    change(after);
    const [old, now] = [before, after].map((tool) => factsOf(documentOf([tool])));
    expect(breaksBetween(old, now)).toEqual(breaks === undefined ? [] : expect.arrayContaining([breaks]));
  });
});

import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, LivePosition, type Operation, type OperationName, operations } from "../src/index.ts";
import { rowFields } from "../src/internal.ts";
import { hostileOutput, samples } from "../src/samples/index.ts";
import { fleetUnderTest } from "./fleet-under-test.ts";

const TEXT = "EVIL\n| EVIL";
const all = Object.values<Operation>(operations);

/** All strings in a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe("a hostile response", () => {
  it.each(all.map((operation) => [operation.name, operation] as const))("of %s has the text in every string field", (_, operation) => {
    const texts = textsIn(hostileOutput(operation, TEXT));
    expect(texts).toContain(TEXT);
    const formed = ["x1001", "2026-11-20T08:30:00Z", "00:30"];
    expect(texts.filter((text) => text !== TEXT && !formed.includes(text))).toEqual([]);
  });

  it.each(all.filter((operation) => rowFields(operation)).map((operation) => [operation.name, operation] as const))(
    "of %s has every field of a row, and is read by the client",
    async (_, operation) => {
      const { fleet } = await fleetUnderTest({ api: [{ body: hostileOutput(operation, TEXT) }] });
      const { input } = samples[operation.name as OperationName];
      const text = JSON.stringify(await fleet.request(operation, input));
      for (const field of Object.keys(rowFields(operation) ?? {})) expect(text, field).toContain(`"${field}":`);
    },
  );

  it("is derived from the schema, so it includes new fields", () => {
    const output = z.array(z.object({ note: z.string().optional(), km: z.number().nullable(), privacy: LivePosition.shape.privacy }));
    const own = defineOperation({
      ...{ name: "own", summary: "", source: "", method: "GET", path: "/own", servers: ["base"], auth: ["basic"], effect: "read" },
      output,
    } as const);
    expect(hostileOutput(own, TEXT)).toEqual([{ note: TEXT, km: 1, privacy: false }]);
  });
});

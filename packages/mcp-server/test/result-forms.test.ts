import { describe, expect, it } from "vitest";
import { scriptOf } from "../../tools/test/every-tool.ts";
import { serverUnderTest } from "./server-under-test.ts";

const CALLS: [string, Record<string, unknown>][] = [
  ["locate_vehicle", { query: "no such vehicle" }],
  ["list_live_positions", { limit: 2 }],
  ["summarize_fleet", { group: "no such group" }],
  ["create_job", { address: "Lyon", dryRun: true }],
];

describe.each(["auto", "legacy"] as const)("FLEET_RESULT with a host of revision %s", (mode) => {
  it.each([
    ["both", true, true],
    ["text", true, false],
    ["record", false, true],
  ] as const)("%s", async (form, hasText, hasRecord) => {
    const { client, call } = await serverUnderTest({ script: scriptOf("x"), env: { FLEET_RESULT: form }, mode });
    // From here on the client validates records against the listed schemas.
    const { tools } = await client.listTools();
    expect(tools.map(({ outputSchema }) => outputSchema !== undefined)).toEqual(tools.map(() => hasRecord));
    for (const [name, args] of CALLS) {
      const { content, structuredContent, isError } = await call(name, args);
      expect([name, isError, content.length, structuredContent !== undefined]).toEqual([name, undefined, hasText ? 1 : 0, hasRecord]);
    }
    // A failure has no record, only text.
    const failure = await call("create_job", {});
    expect(failure).toMatchObject({ isError: true, content: [{ type: "text", text: expect.stringMatching(/^input: /) }] });
  });
});

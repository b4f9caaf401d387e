import { operations } from "@fleetwire/core";
import { describe, expect, test } from "vitest";
import { call, operationOf, tryMutatedRequests, valid } from "./mutated-requests.ts";

describe("chosen S5: mutated valid requests", () => {
  test("cover every operation", async () => {
    const recorded = new Set(valid.map(({ method, url }) => operationOf(method, url)));
    expect(recorded).toEqual(new Set(Object.values(operations)));
    for (const sent of valid) {
      const response = await call.sandbox.fetch(new Request(sent.url, { ...sent, body: sent.text ?? null }));
      expect([sent.url, response.status]).toEqual([sent.url, 200]);
    }
  });

  test(
    "1,500 of them get no status of 500 or more, no stack trace, and errors of the documented shape",
    () => tryMutatedRequests(1_500),
    120_000,
  );
});

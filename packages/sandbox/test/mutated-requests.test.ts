import { operations } from "@fleetwire/core";
import { expect, test } from "vitest";
import { call, operationOf, tryMutatedRequests, valid } from "./mutated-requests.ts";

test("every operation has a valid request", async () => {
  expect(new Set(valid.map(({ method, url }) => operationOf(method, url)))).toEqual(new Set(Object.values(operations)));
  for (const sent of valid) {
    const response = await call.sandbox.fetch(new Request(sent.url, { ...sent, body: sent.text ?? null }));
    expect([sent.url, response.status]).toEqual([sent.url, 200]);
  }
});

test("mutated requests get no status of 500 or more, no stack trace, and errors of the documented shape", () => tryMutatedRequests(1000));

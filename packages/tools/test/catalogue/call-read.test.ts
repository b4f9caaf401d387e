import { type Operation, operations } from "@fleetwire/core";
import { expect, it } from "vitest";
import { callRead, methodOf } from "../../src/query/call-read.ts";
import { cannedService, toolsOver } from "../canned-service.ts";

it("operations of the contract are called by the client's method, all others as they state", async () => {
  const listed: Operation = operations.listTireEvents;
  const changed: Operation = { ...listed, path: "/public/v2/customer/{customerId}/tire/events" };
  const service = await cannedService(({ operation }) => operation, [changed, operations.requestAccessToken]);
  const { context } = toolsOver(service);
  expect(methodOf(listed, context)).toBe(context.fleet.listTireEvents);
  expect(methodOf(changed, context)).toBeUndefined();
  expect(await callRead(changed, {}, context)).toBe("listTireEvents");
  await expect(callRead(listed, {}, context)).resolves.toMatch(/^GET \/public\/v1/);
});

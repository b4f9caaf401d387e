import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { elicitationOf } from "../../src/mcp/elicitation.ts";

/** A request of the current revision, from a host with these capabilities. */
const requestOf = (elicitation: object | undefined, state?: string) =>
  ({
    mcpReq: {
      envelope: { [CLIENT_CAPABILITIES_META_KEY]: { ...(elicitation && { elicitation }) } },
      requestState: () => state,
      inputResponses: undefined,
    },
  }) as unknown as ServerContext;

it.each<[string, object | undefined, boolean]>([
  ["forms", { form: {} }, true],
  ["forms and addresses", { form: {}, url: {} }, true],
  ["neither in particular", {}, true],
  ["addresses only", { url: {} }, false],
  ["no questions", undefined, false],
])("a user is asked if the host shows %s: %j", (_, capabilities, isAsked) => {
  expect(elicitationOf(requestOf(capabilities), undefined) !== undefined).toBe(isAsked);
});

it("a question that was not answered was not asked", () => {
  expect(elicitationOf(requestOf({}, "state"), undefined)).toEqual({ reply: { answer: "notAsked", state: "state" } });
});

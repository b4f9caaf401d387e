import { expect, it } from "vitest";
import { httpUnderTest, raw } from "../http-under-test.ts";

it.each<[string, object | undefined, boolean]>([
  ["forms", { form: {} }, true],
  ["forms and addresses", { form: {}, url: {} }, true],
  ["neither in particular", {}, true],
  ["addresses only", { url: {} }, false],
  ["no questions", undefined, false],
])("a user is asked if the host shows %s: %j", async (_, elicitation, isAsked) => {
  const { http, service } = await httpUnderTest({}, { FLEET_CONFIRM: "auto" });
  const name = "create_job";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": { ...(elicitation && { elicitation }) },
  };
  const { text } = await raw(http.url, {
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: { address: "Lyon" }, _meta } }),
  });
  const { result } = JSON.parse(text);
  expect({ asked: result.inputRequests !== undefined, previewed: result.structuredContent?.confirmation !== undefined }).toEqual({
    asked: isAsked,
    previewed: !isAsked,
  });
  expect(service.of("createJob")).toEqual([]);
});

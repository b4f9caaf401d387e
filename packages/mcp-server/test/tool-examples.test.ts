import { readFileSync } from "node:fs";
import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { catalogue, createFleetTools } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";
import { exampleOf } from "../scripts/tool-examples.ts";

/** Read tools of a single operation, under a name without a chosen example. */
const unchosen = catalogue
  .filter(({ effect, aliases }) => effect === "read" && aliases.length > 0)
  .map((tool) => ({ ...tool, name: `${tool.name}_anew` }));

function sandboxTools() {
  const sandbox = createSandbox({ seed: 1 });
  const config = fleetConfigFromEnv(sandbox.env);
  return createFleetTools(config, { fleet: createFleetClient({ ...config, fetch: sandbox.fetch }) });
}

it("the examples in docs/tools.md work with the sandbox, one for each tool", async () => {
  const text = readFileSync(new URL("../../../docs/tools.md", import.meta.url), "utf8");
  const examples = [...text.matchAll(/^fleetwire-mcp call (\w+) '(.+)' --sandbox$/gm)];
  expect(new Set(examples.map(([, name]) => name))).toEqual(new Set(catalogue.map(({ name }) => name)));
  const tools = sandboxTools();
  for (const [line, name = "", json = ""] of examples) {
    const { ok, text: shown } = await tools.call(name, JSON.parse(json));
    expect({ line, ok, shown }).toEqual({ line, ok: true, shown });
  }
});

describe("the example of a tool derived from an operation", () => {
  it("is the operation's sample, with names instead of ids", () => {
    const faults = unchosen.find(({ name }) => name === "list_vehicle_faults_anew");
    expect(faults && exampleOf(faults)).toEqual({ vehicle: "truck 12", period: "yesterday", limit: 10 });
  });

  it.each(unchosen.map((tool) => [tool.aliases[0] ?? "", tool] as const))("of %s works with the sandbox", async (name, tool) => {
    expect(await sandboxTools().call(name, exampleOf(tool))).toMatchObject({ ok: true });
  });

  it("must be provided if there is no operation to derive it from", () => {
    const [any] = catalogue;
    expect(() => any && exampleOf({ ...any, name: "sell_vehicle", aliases: [] })).toThrow(
      "sell_vehicle has no example: add one to packages/mcp-server/scripts/tool-examples.json",
    );
  });
});

import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { catalogue, createFleetTools } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";
import { exampleOf } from "../scripts/tool-examples.ts";

/** Read tools of a single operation, under a name without a chosen example. */
const unchosen = catalogue
  .filter(({ effect, aliases }) => effect === "read" && aliases.length > 0)
  .map((tool) => ({ ...tool, name: `${tool.name}_anew` }));

describe("the example of a tool derived from an operation", () => {
  it("is the operation's sample, with names instead of ids", () => {
    const faults = unchosen.find(({ name }) => name === "list_vehicle_faults_anew");
    expect(faults && exampleOf(faults)).toEqual({ vehicle: "truck 12", period: "yesterday", limit: 10 });
  });

  it.each(unchosen.map((tool) => [tool.aliases[0] ?? "", tool] as const))("of %s works with the sandbox", async (name, tool) => {
    const sandbox = createSandbox({ seed: 1 });
    const config = fleetConfigFromEnv(sandbox.env);
    const tools = createFleetTools(config, { fleet: createFleetClient({ ...config, fetch: sandbox.fetch }) });
    expect(await tools.call(name, exampleOf(tool))).toMatchObject({ ok: true });
  });

  it("must be provided if there is no operation to derive it from", () => {
    const [any] = catalogue;
    expect(() => any && exampleOf({ ...any, name: "sell_vehicle", aliases: [] })).toThrow(
      "sell_vehicle has no example: add one to packages/mcp-server/scripts/tool-examples.json",
    );
  });
});

import { readFileSync } from "node:fs";
import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { catalogue, createFleetTools } from "@fleetwire/tools";
import { expect, it } from "vitest";
import { exampleOf } from "../scripts/tool-examples.ts";

/** Read tools of a single operation, under a name without a chosen example. */
const unchosen = catalogue
  .filter(({ effect, aliases }) => effect === "read" && aliases.length > 0)
  .map((tool) => ({ ...tool, name: `${tool.name}_anew` }));

it("the examples in docs/tools.md work with the sandbox, one for each tool, and so do those derived from operations", async () => {
  const text = readFileSync(new URL("../../../docs/tools.md", import.meta.url), "utf8");
  const examples = [...text.matchAll(/^fleetwire-mcp call (\w+) '(.+)' --sandbox$/gm)];
  expect(new Set(examples.map(([, name]) => name))).toEqual(new Set(catalogue.map(({ name }) => name)));
  const sandbox = createSandbox({ seed: 1 });
  const config = fleetConfigFromEnv(sandbox.env);
  const tools = createFleetTools(config, { fleet: createFleetClient({ ...config, fetch: sandbox.fetch }) });
  for (const [line, name = "", json = ""] of examples) {
    const { ok, text: shown } = await tools.call(name, JSON.parse(json));
    expect({ line, ok, shown }).toEqual({ line, ok: true, shown });
  }
  for (const tool of unchosen) expect(await tools.call(tool.aliases[0] ?? "", exampleOf(tool)), tool.name).toMatchObject({ ok: true });
  const faults = unchosen.find(({ name }) => name === "list_vehicle_faults_anew");
  expect(faults && exampleOf(faults)).toEqual({ vehicle: "truck 12", period: "yesterday", limit: 10 });
});

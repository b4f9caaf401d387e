import type { GeneratedFiles } from "./generated-files.ts";

export interface Generator {
  name: string;
  /** Module that exports `generate`, relative to this folder. */
  module: string;
  /** Packages, separated by commas, whose `dist/`, or the pages in it, it reads; generators without this read sources only. */
  runsBuild?: string;
}

/** The generators, in order of dependency: packages build only once their types have been written. */
export const generators: readonly Generator[] = [
  { name: "types", module: "../packages/core/scripts/generate-interfaces.ts" },
  { name: "openapi", module: "../packages/core/scripts/generate-openapi.ts" },
  { name: "operations", module: "../packages/core/scripts/generate-operations-table.ts" },
  { name: "operation-pages", module: "../packages/core/scripts/generate-operation-pages.ts" },
  { name: "gazetteer", module: "../packages/tools/scripts/generate-gazetteer.ts" },
  { name: "base-map", module: "../packages/map/scripts/generate-base-map.ts" },
  { name: "tool-docs", module: "../packages/mcp-server/scripts/generate-tool-docs.ts", runsBuild: "@fleetwire/mcp-server" },
  { name: "credentials", module: "../packages/mcp-server/scripts/generate-credentials.ts" },
  { name: "skills", module: "../packages/mcp-server/scripts/generate-skills.ts" },
  { name: "hosts", module: "../packages/mcp-server/scripts/generate-host-files.ts" },
  { name: "token-costs", module: "../packages/mcp-server/scripts/generate-token-costs.ts" },
  { name: "tool-snapshots", module: "../packages/mcp-server/scripts/generate-tool-snapshots.ts" },
  { name: "api", module: "./generate-api-reports.ts", runsBuild: "@fleetwire/mcp-server,@fleetwire/contract-tests" },
];

/** The files that a generator would write now. */
export async function generate({ module }: Generator): Promise<GeneratedFiles> {
  const { generate: run } = (await import(new URL(module, import.meta.url).href)) as { generate: () => Promise<GeneratedFiles> };
  return run();
}

/**
 * What is generated from the contract, in the order in which one stands on another: `npm run NAME` writes one of them, `npm run generate` all.
 * `builds` is the package whose `dist/` the script reads; `writes` are files, or folders with the pattern of the files in them that are generated.
 */
export const generators = [
  {
    name: "types",
    script: "packages/core/scripts/emit-interfaces.mjs",
    writes: [["packages/core/src", /\.generated\.ts$/]],
  },
  {
    name: "openapi",
    builds: "@fleetwire/core",
    script: "packages/core/scripts/emit-openapi.mjs",
    writes: ["packages/core/openapi.json"],
  },
  {
    name: "operations",
    builds: "@fleetwire/core",
    script: "packages/core/scripts/document-operations.mjs",
    writes: ["packages/core/README.md"],
  },
  {
    name: "docs",
    builds: "@fleetwire/mcp-server",
    script: "packages/mcp-server/scripts/document-tools.mjs",
    writes: ["docs/tools.md"],
  },
  {
    name: "surface",
    builds: "@fleetwire/mcp-server",
    script: "packages/mcp-server/scripts/count-surface.mjs",
    writes: ["packages/mcp-server/surface.json"],
  },
  {
    name: "tools-snapshot",
    builds: "@fleetwire/mcp-server",
    script: "tests/judges/scripts/introspect-tools.mjs",
    writes: ["packages/contract-tests/baselines/tools.json"],
  },
];

import { environmentOf, hostSettings, launch, product } from "./host-settings.ts";

const { name, version, description, license, address, owner, node } = product;
const author = { name: "Fleetwire", url: address };
const identity = { name: "fleetwire", version, description };

// An empty default: hosts pass an optional setting without a value as the text `${user_config.NAME}`.
const userConfig = Object.fromEntries(
  hostSettings.map(({ name: variable, title, description: text, secret, required }) => [
    variable,
    { type: "string", title, description: text, sensitive: secret, required, ...(!required && { default: "" }) },
  ]),
);
const userEnvironment = environmentOf((setting) => `\${user_config.${setting.name}}`);

// https://github.com/anthropics/mcpb, MANIFEST.md
const ENTRY_POINT = `node_modules/${name}/dist/fleetwire-mcp.js`;
const bundle = {
  manifest_version: "0.3",
  ...identity,
  display_name: "Fleetwire",
  author,
  repository: { type: "git", url: `${address}.git` },
  documentation: `${address}/blob/main/docs/hosts.md#claude-desktop`,
  support: `${address}/issues`,
  license,
  server: {
    type: "node",
    entry_point: ENTRY_POINT,
    mcp_config: { command: "node", args: [`\${__dirname}/${ENTRY_POINT}`], env: userEnvironment },
  },
  tools_generated: true,
  prompts_generated: true,
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node } },
  user_config: userConfig,
};

// https://github.com/modelcontextprotocol/registry, docs/reference/server-json
const registryEntry = {
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: `io.github.${owner}/fleetwire`,
  title: "Fleetwire",
  description,
  version,
  repository: { url: address, source: "github", subfolder: "packages/mcp-server" },
  packages: [
    {
      registryType: "npm",
      identifier: name,
      version,
      runtimeHint: "npx",
      transport: { type: "stdio" },
      environmentVariables: hostSettings.map(({ name: variable, description: text, secret, required, url }) => ({
        name: variable,
        description: text,
        isRequired: required,
        isSecret: secret,
        format: "string",
        ...(url && { placeholder: "https://..." }),
      })),
    },
  ],
};

const PLUGIN = "./plugins/fleetwire";

const claudePlugin = {
  ...identity,
  author,
  homepage: address,
  repository: address,
  license,
  userConfig,
  mcpServers: { fleet: { ...launch, env: userEnvironment } },
};
const claudeMarketplace = {
  name: "fleetwire",
  description: "The Fleetwire MCP server for Claude Code",
  owner: { name: author.name },
  plugins: [{ name: identity.name, source: PLUGIN, description }],
};

// Codex does not prompt for values: it forwards these variables of its own environment.
const codexServers = { mcpServers: { fleet: { ...launch, env_vars: hostSettings.map((setting) => setting.name) } } };
const codexPlugin = {
  ...identity,
  author,
  homepage: address,
  repository: address,
  license,
  skills: "./skills/",
  // Not .mcp.json, which Claude Code would read as well.
  mcpServers: "./codex-mcp.json",
  interface: {
    displayName: "Fleetwire",
    shortDescription: description,
    developerName: author.name,
    category: "Productivity",
    capabilities: ["Interactive", "Write"],
    websiteURL: address,
  },
};
const codexMarketplace = {
  name: "fleetwire",
  interface: { displayName: "Fleetwire" },
  plugins: [
    {
      name: identity.name,
      source: { source: "local", path: PLUGIN },
      policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
      category: "Productivity",
    },
  ],
};

const geminiExtension = {
  ...identity,
  mcpServers: { fleet: { ...launch, env: environmentOf((setting) => `\${${setting.name}}`) } },
  settings: hostSettings.map(({ name: envVar, title, description: text, secret }) => ({
    name: title,
    description: text,
    envVar,
    sensitive: secret,
  })),
};

/** The manifests, by path. */
export const manifests: Readonly<Record<string, unknown>> = {
  "packages/mcp-server/mcpb/manifest.json": bundle,
  "packages/mcp-server/server.json": registryEntry,
  "plugins/fleetwire/.claude-plugin/plugin.json": claudePlugin,
  ".claude-plugin/marketplace.json": claudeMarketplace,
  "plugins/fleetwire/.codex-plugin/plugin.json": codexPlugin,
  "plugins/fleetwire/codex-mcp.json": codexServers,
  ".agents/plugins/marketplace.json": codexMarketplace,
  "gemini-extension.json": geminiExtension,
};

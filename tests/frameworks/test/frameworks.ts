/** Packages to install in a folder, next to the packed tarballs. */
export interface Installation {
  /** Name of the folder and, for a framework, of the file in drivers/, without its extension. */
  driver: string;
  /** Pinned packages; for a framework, those that docs/agents.md installs. */
  packages: readonly string[];
}

/** A framework, in the version that its adapter is tested with. */
export interface Framework extends Installation {
  /** The heading of its section in docs/agents.md. */
  name: string;
  needsNode24?: true;
  /** Whether it has approval of its own. If not, writes return a preview and a token. */
  approves: boolean;
  /** Whether the application has to configure approval, so that a write may arrive without it. */
  optional?: true;
}

export const FRAMEWORKS: readonly Framework[] = [
  {
    name: "AI SDK",
    driver: "ai-sdk",
    packages: ["ai@7.0.173", "@ai-sdk/openai@4.0.118"],
    needsNode24: true,
    approves: true,
    optional: true,
  },
  { name: "OpenAI Agents", driver: "openai-agents", packages: ["@openai/agents@0.20.0"], approves: true },
  { name: "Anthropic", driver: "anthropic", packages: ["@anthropic-ai/sdk@1.12.0"], approves: false },
  {
    name: "LangChain",
    driver: "langchain",
    packages: ["langchain@1.5.14", "@langchain/core@1.4.0", "@langchain/langgraph@1.7.3", "@langchain/openai@1.6.0"],
    approves: true,
    optional: true,
  },
  { name: "Mastra", driver: "mastra", packages: ["@mastra/core@1.71.0"], needsNode24: true, approves: true },
  {
    name: "TanStack AI",
    driver: "tanstack-ai",
    packages: ["@tanstack/ai@0.58.0", "@tanstack/ai-openai@0.23.1"],
    approves: true,
    optional: true,
  },
];

/** Its 500 packages take as long to install as all the others together. */
export const GENKIT: Framework = {
  name: "Genkit",
  driver: "genkit",
  packages: ["genkit@1.42.0", "@genkit-ai/compat-oai@1.42.0"],
  approves: true,
  optional: true,
};

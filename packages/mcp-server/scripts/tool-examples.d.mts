import type { ToolDescription } from "@fleetwire/tools";

export declare function exampleOf(tool: ToolDescription): Record<string, unknown>;

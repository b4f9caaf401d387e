import { type Change, isSame, pairs } from "./change.ts";
import { type Schema, SchemaComparison } from "./compare-schemas.ts";

/** A tool as MCP's `tools/list` describes it. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: Schema;
  outputSchema?: Schema;
  annotations?: Record<string, unknown>;
  [member: string]: unknown;
}

/** Hints by which hosts decide whether to ask the user. */
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/** Compares the tools that a model is offered. */
export function compareTools(before: readonly ToolDefinition[], after: readonly ToolDefinition[]): Change[] {
  const changes: Change[] = [];
  const add = (impact: Change["impact"], rule: string, at: string, text: string) =>
    changes.push({ impact, faces: ["tools"], rule, at, text });
  const named = (tools: readonly ToolDefinition[]) => Object.fromEntries(tools.map((tool) => [tool.name, tool]));
  for (const { name, before: old, after: now } of pairs(named(before), named(after))) {
    if (!now) add("breaking", "tool-removed", name, `The tool \`${name}\` is gone.`);
    else if (!old) add("additive", "tool-added", name, `The tool \`${name}\` is new.`);
    else {
      const schemas = new SchemaComparison(["tools"], old.inputSchema, now.inputSchema);
      schemas.compare(old.inputSchema, now.inputSchema, "request", name);
      const results = new SchemaComparison(["tools"], old.outputSchema, now.outputSchema);
      results.compare(old.outputSchema, now.outputSchema, "response", `${name} result`);
      changes.push(...schemas.changes, ...results.changes);
      const hints = ({ annotations = {} }: ToolDefinition) => HINTS.map((hint) => annotations[hint]);
      if (!isSame(hints(old), hints(now)))
        add("breaking", "effect-changed", name, `The tool \`${name}\` says otherwise what it changes: hosts may ask where they did not.`);
      const words = ({ title, description, annotations = {} }: ToolDefinition) => [title, description, annotations["title"]];
      if (!isSame(words(old), words(now))) add("cosmetic", "words-changed", name, `The tool \`${name}\` is described in other words.`);
    }
  }
  return changes;
}

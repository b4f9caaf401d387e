import { Group, operations } from "@fleetwire/core";
import { recordOutputSchema, recordResult } from "../results/record-result.ts";
import { operationTool } from "./operation-tool.ts";
import { fieldTypes } from "./tool-input.ts";

export const updateGroup = operationTool(operations.updateGroup, {
  outputSchema: recordOutputSchema("group", fieldTypes(Group)),
  run: async (input, { fleet, settings, callOptions }) => {
    const group = await fleet.updateGroup(input, callOptions);
    return recordResult("Group updated.", "group", group, settings.maxResultTokens);
  },
});

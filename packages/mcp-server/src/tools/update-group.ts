import { Group, operations, parseInput } from "@fleetwire/core";
import { recordResult, writeOutputSchema } from "../results/record-result.ts";
import { groupPreview } from "../writes/group-preview.ts";
import { writeTool } from "./operation-tool.ts";
import { fieldTypes } from "./tool-input.ts";

export const updateGroup = writeTool(operations.updateGroup, {
  hints: {
    id: "Group's id",
    name: "New name, unique",
    parentId: "Id of the group above",
    vehicleIds: "All its vehicles' ids",
    personIds: "All its persons' ids",
  },
  outputSchema: writeOutputSchema("group", fieldTypes(Group)),
  plan: async (args, context) => {
    const input = parseInput(operations.updateGroup, args) as { id: string };
    return { input, preview: () => groupPreview(input, context) };
  },
  send: async (input, { fleet, settings, callOptions }) => {
    const group = await fleet.updateGroup(input, callOptions);
    return recordResult("Group updated.", "group", group, settings.maxResultTokens);
  },
});

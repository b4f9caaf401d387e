import { defineOperation } from "../define-operation.ts";
import type { Operation } from "../operation.ts";
import { Group } from "../schemas/group.ts";
import type { UpdateGroupInput } from "./inputs.generated.ts";

export const updateGroup: Operation<UpdateGroupInput, Group> = defineOperation({
  name: "updateGroup",
  summary: "Rename a group, move it, or assign vehicles and persons to it",
  source: "interface 4.1",
  method: "PUT",
  path: "/public/v1/customer/{customerId}/group",
  servers: ["fleet", "base"],
  auth: ["basic", "bearer"],
  contentType: "application/json;charset=UTF-8",
  body: Group.omit({ path: true }).shape,
  output: Group,
  errors: {
    400: {
      body: "list",
      when: [
        "The group id is wrong, not visible to the caller, blank or too long",
        "The name is too long",
        "parentId is a group that is not visible to the caller",
        "An entry of personIds or vehicleIds is not visible to the caller",
      ],
      advice: "Check the group id, the parent and the assigned ids: each must exist and be visible with these credentials",
    },
    409: {
      body: "one",
      when: ["Another group has that name", "parentId is a descendant of this group"],
      advice: "Choose another name, or a parent that is not a descendant of this group",
    },
  },
  effect: "update",
  outcome: { id: "id", errors: "errors" },
  tool: {
    title: "Update group",
    description: "Rename or move a group, or add vehicles and drivers to it. Send only what changes.",
    toolset: "groups",
    unlisted: ["parentId", "vehicleIds", "personIds"],
    hints: { name: "New name" },
    names: { id: "group" },
  },
});

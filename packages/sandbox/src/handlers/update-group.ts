import { operations } from "@fleetwire/core";
import type { Handler } from "../service/handler.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { checkInput, refuseFields } from "../service/request-input.ts";

/** Renames or moves a group, or changes its members (interface 4.1). A 400 has all its reasons (interface part 7, first four rows). */
export const updateGroup: Handler = ({ customer: { fleet, groups }, sent }) => {
  const { valid, problems } = checkInput(operations.updateGroup, sent);
  const { id = "", vehicleIds, personIds, ...change } = valid;
  const hide = (field: string, isHidden: boolean | undefined, rule: string) => isHidden && problems.push({ field, message: rule });
  hide("id", valid.id !== undefined && !groups.has(id), "is not visible to the caller");
  hide("parentId", change.parentId !== undefined && !groups.has(change.parentId), "is not visible to the caller");
  hide(
    "vehicleIds",
    vehicleIds?.some((vehicle) => !fleet.vehicle(vehicle)),
    "contains entries that are not visible to the caller",
  );
  hide(
    "personIds",
    personIds?.some((person) => !fleet.vehicleOfDriver(person)),
    "contains entries that are not visible to the caller",
  );
  refuseFields(problems);
  const namesake = change.name ? groups.named(change.name) : undefined;
  if (namesake !== undefined && namesake !== id) throw refuse(409, "nameTaken", "Another group has this name", "name");
  if (change.parentId !== undefined && groups.isBelowOrSame(change.parentId, id))
    throw refuse(409, "belowItself", "The parent group is this group or one of its descendants", "parentId");
  return jsonResponse(groups.change(id, { ...change, vehicleIds, personIds }));
};

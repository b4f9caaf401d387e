import { Group, GroupId } from "@fleetwire/core";
import type { Customer } from "../service/customers.ts";
import type { GroupChange } from "../service/group-store.ts";
import type { Handler } from "../service/handler.ts";
import { jsonResponse, type Reason, Refusal, refuse } from "../service/refusal.ts";
import { objectFields } from "../service/request-body.ts";

const MAX_ID_LENGTH = GroupId.maxLength ?? Number.POSITIVE_INFINITY;
const MAX_NAME_LENGTH = Group.shape.name.unwrap().maxLength ?? Number.POSITIVE_INFINITY;

interface Check {
  readonly id: string;
  readonly change: GroupChange;
  readonly reasons: readonly Reason[];
}

/** Parses the request and collects all reasons for a 400 (interface part 7, first four rows). */
function check(fields: Readonly<Record<string, unknown>>, { fleet, groups }: Customer): Check {
  const reasons: Reason[] = [];
  const add = (name: Reason["name"], field: string, message: string) => reasons.push({ name, message, fields: [field] });
  const text = (field: string): string | undefined => {
    const value = fields[field];
    if (value === undefined || typeof value === "string") return value;
    add("invalid", field, `${field} must be a string`);
    return undefined;
  };
  const list = (field: string, isVisible: (id: string) => boolean): string[] | undefined => {
    const value = fields[field];
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every((entry) => typeof entry === "string")) {
      add("invalid", field, `${field} must be a list of strings`);
      return undefined;
    }
    const hidden = value.filter((entry) => !isVisible(entry));
    if (hidden.length > 0) add("notVisible", field, `${field} contains entries that are not visible to the caller`);
    return value;
  };

  const id = text("id") ?? "";
  if (id.trim() === "") {
    if (!reasons.some((reason) => reason.fields?.includes("id"))) add("invalid", "id", "id must not be blank");
  } else if (id.length > MAX_ID_LENGTH) add("invalid", "id", `id may have at most ${MAX_ID_LENGTH} characters`);
  else if (!GroupId.safeParse(id).success) add("invalid", "id", "id may contain only lower-case letters and digits");
  else if (!groups.has(id)) add("notVisible", "id", "The group is not visible to the caller");
  const name = text("name");
  if (name !== undefined && name.length > MAX_NAME_LENGTH) add("invalid", "name", `name may have at most ${MAX_NAME_LENGTH} characters`);
  const parentId = text("parentId");
  if (parentId !== undefined && !groups.has(parentId)) add("notVisible", "parentId", "The parent group is not visible to the caller");
  const vehicleIds = list("vehicleIds", (vehicleId) => fleet.vehicle(vehicleId) !== undefined);
  const personIds = list("personIds", (personId) => fleet.vehicleOfDriver(personId) !== undefined);
  return { id, change: { name, parentId, vehicleIds, personIds }, reasons };
}

/** Renames or moves a group, or changes its members (interface 4.1). */
export const updateGroup: Handler = ({ body, customer }) => {
  const { groups } = customer;
  const { id, change, reasons } = check(objectFields(body), customer);
  const [first, ...others] = reasons;
  if (first) throw new Refusal(400, [first, ...others]);
  const namesake = change.name ? groups.named(change.name) : undefined;
  if (namesake !== undefined && namesake !== id) throw refuse(409, "nameTaken", "Another group has this name", "name");
  if (change.parentId !== undefined && groups.isBelowOrSame(change.parentId, id))
    throw refuse(409, "belowItself", "The parent group is this group or one of its descendants", "parentId");
  return jsonResponse(groups.change(id, change));
};

import { isRecord } from "@fleetwire/core";
import type { FaultName } from "./fault-plan.ts";

type Fields = Record<string, unknown>;

/** Fields whose documented values form an enum, and a value that is none of them. */
const ENUMS: Fields = {
  eventType: "teleporting",
  energyType: "NUCLEAR",
  engineTotalHoursType: "GUESSED",
  primaryResource: "ROBOT",
  token_type: "mac",
};

/** The one record of an answer that drifts: of a list the middle one, else the innermost object that an answer is about. */
function recordOf(body: unknown): Fields | undefined {
  if (Array.isArray(body)) return recordOf(body[Math.floor(body.length / 2)]);
  if (!isRecord(body)) return undefined;
  const inner = body["items"] ?? body["data"] ?? body["job"] ?? body["jobs"] ?? body["events"];
  return inner === undefined ? body : (recordOf(inner) ?? body);
}

function wrongType(value: unknown): unknown {
  if (typeof value === "number") return `about ${value}`;
  return typeof value === "string" ? { text: value } : "none";
}

/** Changes one record of an answer as a service does that has grown or erred. */
export function applyDrift(body: unknown, fault: FaultName): void {
  const record = recordOf(body);
  if (!record) return;
  const fields = Object.keys(record);
  const plain = fields.filter((field) => ["string", "number"].includes(typeof record[field]));
  const victim = plain.find((field) => typeof record[field] === "number") ?? plain.at(-1);
  if (fault === "drift-extra") record["addedByAnotherVersion"] = { since: "v2" };
  else if (fault === "drift-enum") {
    const field = fields.find((name) => Object.hasOwn(ENUMS, name));
    if (field !== undefined) record[field] = ENUMS[field];
    else if (typeof record["status"] === "string") record["status"] = "PARKED_ON_THE_MOON";
  } else if (victim !== undefined) record[victim] = fault === "drift-null" ? null : wrongType(record[victim]);
}

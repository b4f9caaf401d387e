import { isRecord } from "@fleetwire/core/internal";
import type { FaultName } from "./fault-plan.ts";

type Fields = Record<string, unknown>;

/** Enum fields, each with an undocumented value. */
const ENUMS: Fields = {
  eventType: "teleporting",
  energyType: "NUCLEAR",
  engineTotalHoursType: "GUESSED",
  primaryResource: "ROBOT",
  token_type: "Bearer",
};

/** The record to change: the middle one of a list, otherwise the innermost main object. */
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

/** Changes one record in a response, as a newer or faulty service might. */
export function applyDrift(body: unknown, fault: FaultName): void {
  const record = recordOf(body);
  if (!record) return;
  const fields = Object.keys(record);
  const plain = fields.filter((field) => ["string", "number"].includes(typeof record[field]));
  const target = plain.find((field) => typeof record[field] === "number") ?? plain.at(-1);
  if (fault === "drift-extra") record["addedByAnotherVersion"] = { since: "v2" };
  else if (fault === "drift-enum") {
    const field = fields.find((name) => Object.hasOwn(ENUMS, name));
    if (field !== undefined) record[field] = ENUMS[field];
    else if (typeof record["status"] === "string") record["status"] = "PARKED_ON_THE_MOON";
  } else if (target !== undefined) record[target] = fault === "drift-null" ? null : wrongType(record[target]);
}

import { createHmac, randomBytes } from "node:crypto";
import type { LivePosition } from "@fleetwire/core";
import type * as z from "zod";
import type { ToolContext } from "./tool.ts";

export type Position = z.infer<typeof LivePosition>;

/** What would tell where a private journey leads (docs/decisions.md, MCP). */
const WHEREABOUTS = [
  "latitude",
  "longitude",
  "road",
  "roadNumber",
  "city",
  "postCode",
  "country",
  "formattedAddress",
  "division",
  "locationName",
  "locationGroupName",
  "locationId",
  "heading",
  "speed",
] as const satisfies readonly (keyof Position)[];

const WITHHELD = Object.fromEntries(WHEREABOUTS.map((field) => [field, undefined]));

/** Fields that hold the name of a driver, in whatever record they stand. */
const DRIVER_NAME_FIELDS = new Set(["driverName", "personName", "assignedPersonName"]);

/** Deeper than any record is; what lies below is shown nowhere. */
const DEEPEST = 100;

/** Makes stable pseudonyms of drivers' names: the same name has the same one as long as the key stays. */
export function createDriverAlias(key: string | undefined): (name: string) => string {
  const secret = key === undefined ? randomBytes(32) : Buffer.from(key, "base64");
  return (name) => `Driver ${createHmac("sha256", secret).update(name).digest("hex").slice(0, 6)}`;
}

/** Any record with drivers' names replaced where they are to be hidden. */
export function hideDriverNames<Value>(value: Value, { settings, driverAlias }: ToolContext): Value {
  if (settings.driverNames === "show") return value;
  const hide = (inner: unknown, field: string, depth: number): unknown => {
    if (typeof inner === "string") return DRIVER_NAME_FIELDS.has(field) ? driverAlias(inner) : inner;
    if (typeof inner !== "object" || inner === null) return inner;
    if (depth > DEEPEST) return undefined;
    if (Array.isArray(inner)) return inner.map((item) => hide(item, field, depth + 1));
    // In a job's histories the name of the person stands beside the person's id (interface 2.5).
    const fieldOf = (name: string) => (name === "name" && "personId" in inner ? "personName" : name);
    return Object.fromEntries(Object.entries(inner).map(([name, item]) => [name, hide(item, fieldOf(name), depth + 1)]));
  };
  return hide(value, "", 0) as Value;
}

/** Positions as a model may see them. It happens before names are compared, so that a search cannot tell what a result would not. */
export function maskPositions(positions: readonly Position[], context: ToolContext): Position[] {
  return positions.map((position) => {
    if (context.settings.privacy === "off" || position.privacy !== true) return hideDriverNames(position, context);
    return hideDriverNames({ ...position, ...WITHHELD }, context);
  });
}

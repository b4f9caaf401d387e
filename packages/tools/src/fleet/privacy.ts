import type { LivePosition } from "@fleetwire/core";
import type * as z from "zod";
import type { ToolContext } from "../tool.ts";
import { hideDriverNames } from "./driver-names.ts";

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

/** Positions as a model may see them. It happens before names are compared, so that a search cannot tell what a result would not. */
export function maskPositions(positions: readonly Position[], context: ToolContext): Position[] {
  const respected = context.settings.privacy !== "off";
  const masked = positions.map((position) => (respected && position.privacy === true ? { ...position, ...WITHHELD } : position));
  return hideDriverNames(masked, context);
}

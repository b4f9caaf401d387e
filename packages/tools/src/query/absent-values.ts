import { metadataOf } from "@fleetwire/core";
import type * as z from "zod";
import type { ToolSettings } from "../model/tool.ts";
import { valuesOf } from "./field-texts.ts";
import type { Row } from "./list-result.ts";
import type { RowColumns } from "./row-columns.ts";

export const isAbsent = (value: unknown): boolean => value === "" || valuesOf(value).length === 0;

/** Says why these rows may lack a field; empty if the only possible reason is that it was not reported. */
export function reasonsAbsent(
  schema: z.ZodType | undefined,
  rows: readonly Row[],
  { guard }: Pick<RowColumns, "guard">,
  { privacy }: Pick<ToolSettings, "privacy">,
): string {
  const { withheld, omittedFor } = (schema && metadataOf(schema)) ?? {};
  if (privacy === "off") return "";
  const isPrivate = withheld && guard && rows.some((row) => row[guard.field] === guard.withholds);
  const reasons = [
    ...(omittedFor === undefined ? [] : [`hidden for ${omittedFor}`]),
    ...(isPrivate ? ["withheld on private journeys"] : []),
  ];
  return reasons.length === 0 ? "" : `${reasons.join(", ")}, or not reported`;
}

export const inBrackets = (text: string): string => text && ` (${text})`;

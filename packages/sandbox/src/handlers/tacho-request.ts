import { FORM_TEXT, type InstantForm, readForm } from "../service/date-times.ts";
import { type Reason, Refusal } from "../service/refusal.ts";
import { type Direction, type Order, SORT_KEYS, type SortKey } from "./tacho-order.ts";

/** A validated query for tachograph activities (interface 4.5). Times are epoch ms. */
export interface TachoRequest {
  readonly from: number;
  readonly to: number;
  readonly driverKeys: ReadonlySet<string> | undefined;
  readonly registrations: ReadonlySet<string> | undefined;
  readonly content: "live" | "DDD" | undefined;
  readonly skip: number;
  readonly limit: number;
  readonly order: Order;
}

const MAX_PERIOD_DAYS = 31;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const DAY_MS = 86_400_000;
const FORM: InstantForm = "seconds";

export function readTachoRequest(fields: Readonly<Record<string, unknown>>): TachoRequest {
  const reasons: Reason[] = [];
  const wrong = (field: string, rule: string) => {
    reasons.push({ name: "invalid", message: `${field} ${rule}`, fields: [field] });
  };
  const instant = (field: string): number => {
    const value = fields[field];
    const at = typeof value === "string" ? readForm(value, FORM) : undefined;
    if (at === undefined) wrong(field, value === undefined ? "is required" : `must be ${FORM_TEXT[FORM]}`);
    return at ?? Number.NaN;
  };
  const list = (field: string): Set<string> | undefined => {
    const value = fields[field];
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return new Set(value);
    wrong(field, "must be a list of strings");
    return undefined;
  };
  const integer = (field: string, absent: number, least: number): number => {
    const value = fields[field];
    if (value === undefined) return absent;
    if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
    wrong(field, `must be a whole number, at least ${least}`);
    return absent;
  };
  const order = (): [SortKey, Direction][] => {
    const value = fields["sort"];
    if (value === undefined) return [];
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      wrong("sort", "must be an object of field paths and directions");
      return [];
    }
    for (const [key, direction] of Object.entries(value)) {
      if (!SORT_KEYS.includes(key as SortKey)) wrong(`sort.${key}`, "is not a sort field");
      else if (direction !== "ASC" && direction !== "DESC") wrong(`sort.${key}`, "must be ASC or DESC");
    }
    return Object.entries(value) as [SortKey, Direction][];
  };

  const content = fields["dataContent"];
  if (content !== undefined && content !== "live" && content !== "DDD") wrong("dataContent", "must be live or DDD");
  const request = {
    from: instant("startTime"),
    to: instant("endTime"),
    driverKeys: list("driverKeys"),
    registrations: list("registrations"),
    content: content as TachoRequest["content"],
    skip: integer("skip", 0, 0),
    limit: Math.min(integer("limit", DEFAULT_LIMIT, 1), MAX_LIMIT),
    order: order(),
  };
  if (request.to < request.from) wrong("endTime", "must not be before startTime");
  if (request.to - request.from > MAX_PERIOD_DAYS * DAY_MS) wrong("endTime", `may be at most ${MAX_PERIOD_DAYS} days after startTime`);
  const [first, ...others] = reasons;
  if (first) throw new Refusal(400, [first, ...others]);
  return request;
}

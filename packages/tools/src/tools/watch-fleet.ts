import { FleetError, type FleetErrorCode, operations } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import * as z from "zod";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { ToolResult } from "../model/tool.ts";
import { NameQuestion } from "../names/name-question.ts";
import { writeOutputSchema } from "../query/record-result.ts";
import { toolInput } from "../query/tool-input.ts";
import { pluralize } from "../text/pluralize.ts";
import { timesOf, type ZonedTimes } from "../text/time.ts";
import { largestWithinBudget, noteWithinBudget } from "../text/token-budget.ts";
import { type CallerNews, type CallerRule, RULE_HOURS } from "../watch/caller-rules.ts";
import { conditionNames } from "../watch/conditions.ts";
import { unknownLamp } from "../watch/faults.ts";
import { lateAlready } from "../watch/jobs.ts";
import { resolveRule } from "../watch/resolve-rules.ts";
import { waitsFor } from "../watch/rule-index.ts";
import type { WatchRule } from "../watch/rules.ts";
import { ruleOfSingleValue, type SingleValueRule } from "../watch/single-value-rule.ts";
import type { LocalTool, PlannedChange, ToolContext } from "../writes/write-tool.ts";

const text = z.string().min(1).optional();

/** Callers who are not told apart share their rules. */
const ownerOf = ({ caller }: ToolContext) => caller.id ?? "";

const NOT_PUSHED = "No message comes by itself: call watch_fleet without arguments to learn what has happened.";

const type = { type: "string" } as const;

export const watchFleet: LocalTool = {
  name: "watch_fleet",
  title: "Watch fleet",
  description: `Watch for an event for ${RULE_HOURS} hours. Without arguments: what has happened, and the rules.`,
  effect: "update",
  operations: [operations.listLivePositions],
  ...toolInput(
    {
      when: z.enum(conditionNames).optional(),
      who: text.describe("Vehicle, driver or group"),
      value: text.describe("Place, minutes, km/h, %, lamp"),
      endRule: text,
      confirmation: text,
    },
    // Models write numbers as such.
    { value: z.union([z.string().min(1), z.number()]).optional() },
  ),
  outputSchema: {
    type: "object",
    properties: {
      ...(writeOutputSchema("rule", { id: type, waitsFor: type, until: type })["properties"] as object),
      newEvents: { type: "array", items: { type: "object", properties: { rule: type, text: type, at: type } } },
      rules: { type: "array", items: { type: "object" } },
    },
  },
  changes: ({ when, who, value, endRule }) => [when, who, value, endRule].some((given) => given !== undefined),
  read: async (context) => newsResult(await newsOf(context), context),
  plan: (args, context) => {
    const { endRule, ...rule } = args as Partial<SingleValueRule> & { endRule?: string };
    if (endRule === undefined) return planRule(rule, context);
    if (Object.keys(rule).length === 0) return Promise.resolve(planEnd(endRule, context));
    throw refused("endRule was given with a rule", "End a rule and create another one in two calls");
  },
};

const refused = (problem: string, advice: string) => new FleetError("input", `watch_fleet: ${problem}`, { advice });

/** The question names the argument that a model knows. */
async function resolved(rule: WatchRule, fleet: Parameters<typeof resolveRule>[1], { towns }: ToolContext) {
  try {
    return await resolveRule(rule, fleet, towns);
  } catch (error) {
    if (!(error instanceof NameQuestion)) throw error;
    const { unresolved } = error;
    throw new NameQuestion({ ...unresolved, field: unresolved.field.startsWith("at.") ? "value" : "who" });
  }
}

async function planRule({ when, who, value }: Partial<SingleValueRule>, context: ToolContext): Promise<PlannedChange> {
  if (when === undefined) throw refused("when is missing", "Pass what to wait for");
  context.rules.check(ownerOf(context), when);
  const fleet = await readFleet(context);
  const rule = await ruleOfSingleValue({ when, who, value }, fleet, context.towns);
  const understood = await resolved(rule, fleet, context);
  const words = waitsFor(understood);
  // Not among the words, which have to be the same when the user has agreed.
  const lamp = rule.when === "faultBegins" && rule.lamp !== undefined ? await unknownLamp(rule.lamp, context) : undefined;
  const late = await lateAlready(understood, context);
  const known = lamp ?? (late && `Late already: ${late}.`);
  const notes = [`For ${RULE_HOURS} hours. ${NOT_PUSHED}`, ...(known ? [known] : [])];
  return {
    input: { rule, words, owner: ownerOf(context) },
    preview: async () => [words, ...notes],
    make: async () => {
      const kept = await context.rules.add(ownerOf(context), rule, words, fleet.positions.length, context);
      return ruleResult("Watching", kept, [NOT_PUSHED, ...(known ? [known] : [])], context);
    },
  };
}

function planEnd(id: string, context: ToolContext): PlannedChange {
  const rule = context.rules.find(ownerOf(context), id);
  return {
    input: { endRule: id, words: rule.waitsFor, owner: ownerOf(context) },
    preview: async () => [`End ${rule.id}: ${rule.waitsFor}`],
    make: async () => ruleResult("Ended", context.rules.end(ownerOf(context), id), [], context),
  };
}

/** Returns the rules of a caller and its last events, newest first, for a host that shows them. It counts as told only what a model has read. */
export async function callerEvents(context: ToolContext): Promise<ToolResult> {
  const { rules, latest, failure } = await newsOf(context);
  const times = timesOf(context);
  const newest = [...latest].reverse();
  const withCount = (shown: number) => {
    const notes = [
      ...(failure === undefined ? [] : [cannotRead(failure)]),
      ...(shown < newest.length ? ["Older events are not shown."] : []),
    ];
    const structured = {
      rules: rules.map((rule) => recordOf(rule, times)),
      events: newest.slice(0, shown),
      ...(notes.length > 0 && { note: notes.join(" ") }),
    };
    return { text: pluralize(newest.length, EVENTS), structured };
  };
  return largestWithinBudget(newest.length, context.settings.maxResultTokens, withCount) ?? withCount(0);
}

const recordOf = ({ id, waitsFor, until }: CallerRule, times: ZonedTimes) => ({ id, waitsFor, until: times.iso(until) });

const lineOf = ({ id, waitsFor, until }: CallerRule, times: ZonedTimes) =>
  `${id}: ${waitsFor}, ${until > times.now ? "until" : "ended"} ${times.text(until)}`;

function ruleResult(did: string, rule: CallerRule, notes: readonly string[], context: ToolContext): ToolResult {
  const times = timesOf(context);
  const note = noteWithinBudget(notes, context.settings.maxResultTokens);
  return {
    text: [`${did} ${lineOf(rule, times)}.`, ...(note ? [note] : [])].join(" "),
    structured: { rule: recordOf(rule, times), ...(note && { note }) },
  };
}

/** What a caller has to be told, with the reason why the fleet could not be read, if so. */
async function newsOf(context: ToolContext): Promise<CallerNews & { failure: FleetErrorCode | undefined }> {
  const { signal } = context.callOptions;
  const news = await context.rules.news(ownerOf(context), signal);
  const read = news.rules.length > 0 ? await context.reader.read({ signal }) : undefined;
  return { ...news, failure: read?.failure };
}

const cannotRead = (failure: FleetErrorCode) => `The fleet cannot be read now (${failure}), so later events are unknown.`;

const EVENTS = ["event", "events"] as const;
const NEW_EVENTS = ["new event", "new events"] as const;
const RULES = ["rule", "rules"] as const;

function newsResult({ events, rules, dropped, failure }: Awaited<ReturnType<typeof newsOf>>, context: ToolContext): ToolResult {
  const times = timesOf(context);
  const timeOf = (at: string) => parseDateTime(at) ?? times.now;
  const count = events.length + rules.length;
  const withCount = (shown: number) => {
    const [told, listed] = [events.slice(0, shown), rules.slice(0, Math.max(0, shown - events.length))];
    const notes = [
      ...(failure === undefined ? [] : [cannotRead(failure)]),
      ...(dropped > 0 ? [`${pluralize(dropped, EVENTS)} before these were dropped.`] : []),
      ...(told.length < events.length ? [`Call again for the other ${pluralize(events.length - told.length, EVENTS)}.`] : []),
      ...(listed.length < rules.length ? ["Not all rules are shown."] : []),
    ];
    const head = `${pluralize(events.length, NEW_EVENTS)}, ${pluralize(rules.length, RULES)}.`;
    const lines = told.map((event) => `${times.text(timeOf(event.at))} ${event.text}${event.late ? " (noticed late)" : ""}`);
    return {
      told,
      text: [[head, ...notes].join(" "), ...lines, ...listed.map((rule) => lineOf(rule, times))].join("\n"),
      structured: {
        newEvents: told.map(({ rule, text: said, at, late }) => ({
          ...(rule !== undefined && { rule }),
          text: said,
          at: times.iso(timeOf(at)),
          ...(late && { late }),
        })),
        rules: listed.map((rule) => recordOf(rule, times)),
        ...(notes.length > 0 && { note: notes.join(" ") }),
      },
    };
  };
  const { told, ...result } = largestWithinBudget(count, context.settings.maxResultTokens, withCount) ?? withCount(0);
  // Events of a call that its caller has cancelled are told again.
  if (!context.caller.signal?.aborted) context.rules.told(ownerOf(context), told);
  return result;
}

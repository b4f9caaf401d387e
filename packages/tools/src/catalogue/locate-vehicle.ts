import { LivePosition, operations } from "@fleetwire/core";
import * as z from "zod";
import { fieldTypes, toolInput } from "../arguments/tool-input.ts";
import { readFleet } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/privacy.ts";
import { vehicleLabel } from "../names/labels.ts";
import { type Match, type Resolution, resolveName } from "../names/resolve-name.ts";
import { VEHICLES } from "../names/sure-name.ts";
import { plainText, textOrNone } from "../results/cell.ts";
import { questionProperties, questionResult, type UnsureName } from "../results/name-question.ts";
import { ageInWords, compassPoint, readInstant, utc } from "../results/time.ts";
import { largestFitting, type ToolResult } from "../results/tool-result.ts";
import type { ReadTool } from "../tool.ts";

/** What is answered, with the longest text of each field that holds one: an answer is to cost about 120 tokens. */
const ANSWERED = {
  assetId: 24,
  assetName: 60,
  assetRegistration: 20,
  eventType: 20,
  electricCharging: null,
  speed: null,
  heading: null,
  latitude: null,
  longitude: null,
  formattedAddress: 100,
  city: 40,
  country: 40,
  locationName: 60,
  date: 30,
  driverName: 60,
  privacy: null,
} as const satisfies { [Field in keyof Position]?: number | null };

const answered = Object.keys(ANSWERED) as (keyof typeof ANSWERED)[];

/** Shares of those lengths, from the least: hostile texts are cut further where the budget is small. */
const SHARES = [0.1, 0.3, 1];

const positionTypes = fieldTypes(LivePosition);

const ACTIVITIES = new Map([
  ["ping", "last reported"],
  ["input", "sent an input"],
  ["unknown", "reported its charging"],
  ["defect", "reported a defect"],
]);

/** The facts that text and structured content both give. */
function factsOf(position: Position, share: number): Position {
  const facts: Position = Object.fromEntries(
    answered.map((field) => {
      const [value, longest] = [position[field], ANSWERED[field]];
      return [field, longest === null ? value : textOrNone(value?.toString(), Math.max(4, Math.round(longest * share)))];
    }),
  );
  return {
    ...facts,
    // A vehicle that stands heads nowhere, an address holds city and country, and most journeys are not private.
    ...(facts.speed === 0 && { heading: undefined }),
    ...(facts.formattedAddress !== undefined && { city: undefined, country: undefined }),
    ...(facts.privacy !== true && { privacy: undefined }),
    ...(facts.electricCharging !== true && { electricCharging: undefined }),
  };
}

function doing({ eventType, speed, heading, electricCharging }: Position): string {
  const activity = eventType === undefined ? "doing unknown" : (ACTIVITIES.get(eventType) ?? eventType);
  const pace = speed === undefined ? "" : `, ${Math.round(speed)} km/h`;
  const direction = heading === undefined ? "" : `, heading ${compassPoint(heading)}`;
  return `${activity}${pace}${direction}${electricCharging ? ", charging" : ""}`;
}

function place({ locationName, formattedAddress, city, country, latitude, longitude }: Position): string {
  const address = formattedAddress ?? [city, country].filter(Boolean).join(", ");
  const point = latitude !== undefined && longitude !== undefined ? `at ${latitude.toFixed(5)}, ${longitude.toFixed(5)}` : "";
  const named = locationName === undefined ? "" : `at ${locationName}`;
  return [named, address, point].filter((part) => part !== "").join(", ") || "place not reported";
}

function found(
  { value: position, matchedBy, respelt }: Match<Position>,
  said: string,
  hidden: boolean,
  now: number,
  share: number,
): ToolResult {
  const facts = factsOf(position, share);
  const at = readInstant(position.date);
  const age = at === undefined ? undefined : ageInWords(at, now);
  const where = hidden ? "" : `, ${place(facts)}`;
  const when = at === undefined ? `time ${facts.date ?? "not reported"}` : `${utc(at)}, ${age}`;
  const driver = facts.driverName === undefined ? "No driver known" : `Driver: ${facts.driverName}`;
  const id = facts.assetId === undefined ? "" : ` Id: ${facts.assetId}.`;
  const how = matchedBy === "name" ? "" : ` Found by ${matchedBy}.`;
  const notes = [
    ...(hidden ? ["On a private journey: whereabouts withheld."] : []),
    ...(respelt ? [`Spelt otherwise than "${plainText(said, 30)}".`] : []),
  ];
  return {
    text: [`${vehicleLabel(facts, ANSWERED.assetName)}: ${doing(facts)}${where}. ${when}. ${driver}.${id}${how}`, ...notes].join(" "),
    structured: {
      result: "found",
      vehicle: { ...facts, age },
      ...(matchedBy !== "name" && { matchedBy }),
      respelt,
      ...(notes.length > 0 && { note: notes.join(" ") }),
    },
  };
}

const EMPTY = "The fleet shows no vehicles. Are the customer and the credentials right?";

/** The question that is left where no vehicle is sure. */
const unsureOf = (resolution: Exclude<Resolution<Position>, { result: "found" }>, said: string): UnsureName => {
  const values = resolution.result === "ambiguous" ? resolution.matches.map(({ value }) => value) : resolution.nearest();
  const candidates = values.map((vehicle) => ({ label: VEHICLES.labelOf(vehicle), record: VEHICLES.recordOf(vehicle) }));
  return { ...VEHICLES, result: resolution.result, field: "query", said, candidates };
};

export const locateVehicle: ReadTool = {
  name: "locate_vehicle",
  title: "Locate vehicle",
  description: "Where one vehicle is, what it is doing, since when, and who drives it. Finds it by name, registration, VIN, id or driver.",
  effect: "read",
  operations: [operations.listLivePositions],
  ...toolInput({ query: z.string().min(1).describe("As the user said it, such as truck 12") }),
  outputSchema: {
    type: "object",
    properties: {
      ...questionProperties,
      result: { type: "string", enum: ["found", "ambiguous", "notFound"] },
      vehicle: {
        type: "object",
        properties: { ...Object.fromEntries(answered.map((field) => [field, positionTypes[field]])), age: { type: "string" } },
      },
      matchedBy: { type: "string" },
      respelt: { type: "boolean", description: "The spelling differs from the query" },
      total: { type: "integer", description: "Candidates in all" },
      note: { type: "string", description: "What else there is to know, and to do" },
    },
    required: ["result"],
  },
  run: async (args, context) => {
    const { settings, now } = context;
    const query = String(args["query"]);
    const fleet = await readFleet(context);
    if (fleet.positions.length === 0) {
      const question = `No vehicle fits "${plainText(query, 60)}". ${EMPTY}`;
      return () => ({ text: question, structured: { result: "notFound", candidates: [], question } });
    }
    const resolution = resolveName(query, fleet.vehicles());
    if (resolution.result !== "found") return questionResult(unsureOf(resolution, query), "read");
    const { match } = resolution;
    const hidden = match.value.privacy === true && settings.privacy !== "off";
    const resultOf = (size: number) => found(match, query, hidden, now(), SHARES[size] as number);
    return (budget) => largestFitting(SHARES.length - 1, budget, resultOf) ?? resultOf(0);
  },
};

import { LivePosition, operations } from "@fleetwire/core";
import * as z from "zod";
import { readFleet } from "../fleet-view.ts";
import type { Position } from "../privacy.ts";
import { type Match, resolveName } from "../resolver/resolve-name.ts";
import { plainText } from "../results/cell.ts";
import { ageInWords, compassPoint, readInstant, utc } from "../results/time.ts";
import { largestFitting, type ToolResult } from "../results/tool-result.ts";
import type { ReadTool } from "../tool.ts";
import { fieldTypes, toolInput } from "./tool-input.ts";

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

const CANDIDATES_SHOWN = 4;
const CANDIDATE_CHARACTERS = 40;
const CANDIDATE_FIELDS = ["assetId", "assetName", "assetRegistration", "driverName"] as const;

const ACTIVITIES = new Map([
  ["ping", "last reported"],
  ["input", "sent an input"],
  ["unknown", "reported its charging"],
  ["defect", "reported a defect"],
]);

/** A text on one line; one that says nothing is as good as none. */
const textOf = (value: unknown, longest: number): string | undefined =>
  value === undefined ? undefined : plainText(String(value), longest) || undefined;

/** The facts that text and structured content both give. */
function factsOf(position: Position, share: number): Position {
  const facts: Position = Object.fromEntries(
    answered.map((field) => {
      const [value, longest] = [position[field], ANSWERED[field]];
      return [field, longest === null ? value : textOf(value, Math.max(4, Math.round(longest * share)))];
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

function nameOf({ assetName, assetRegistration, assetId }: Position): string {
  const [name = "Vehicle without a name", more] = [assetName, assetRegistration, assetId].filter((part) => part !== undefined);
  return more === undefined ? name : `${name} (${more})`;
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
  const where = hidden ? "on a private journey, whereabouts withheld" : place(facts);
  const when = at === undefined ? `time ${facts.date ?? "not reported"}` : `${utc(at)}, ${age}`;
  const driver = facts.driverName === undefined ? "No driver known" : `Driver: ${facts.driverName}`;
  const id = facts.assetId === undefined ? "" : ` Id: ${facts.assetId}.`;
  const how = matchedBy === "name" ? "" : ` Found by ${matchedBy}.`;
  const spelling = respelt ? ` Spelt otherwise than "${plainText(said, 30)}".` : "";
  return {
    text: `${nameOf(facts)}: ${doing(facts)}, ${where}. ${when}. ${driver}.${id}${how}${spelling}`,
    structured: {
      result: "found",
      vehicle: { ...facts, age },
      ...(matchedBy !== "name" && { matchedBy }),
      respelt,
    },
  };
}

/** What tells a candidate from the others. */
const candidateOf = (position: Position): Position =>
  Object.fromEntries(CANDIDATE_FIELDS.map((field) => [field, textOf(position[field], CANDIDATE_CHARACTERS)]));

const withDriver = (vehicle: Position) =>
  vehicle.driverName === undefined ? nameOf(vehicle) : `${nameOf(vehicle)}, driver ${vehicle.driverName}`;

const oneOf = (names: readonly string[], more: number) => `${names.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;

/** The candidates in few words: by name alone where that tells them apart. */
function shortNames(candidates: readonly Position[]): string[] {
  const isShared = ({ assetName }: Position) => candidates.filter((other) => other.assetName === assetName).length > 1;
  return candidates.map((vehicle) => (vehicle.assetName && !isShared(vehicle) ? vehicle.assetName : nameOf(vehicle)));
}

function ambiguous(said: string, positions: readonly Position[], count: number): ToolResult {
  const candidates = positions.slice(0, count).map(candidateOf);
  const total = positions.length;
  // A budget may be too small for any name.
  if (count === 0) {
    const text = `${total} vehicles fit "${said}". Ask the person for the registration, or more of the name, and call again with it.`;
    return { text, structured: { result: "ambiguous", total, candidates, ask: `${total} vehicles fit. What is the registration?` } };
  }
  const more = total - count;
  return {
    text: `${total} vehicles fit "${said}". Ask the person which one is meant: ${oneOf(candidates.map(withDriver), more)}? Then call again with what stands in brackets.`,
    structured: { result: "ambiguous", total, candidates, ask: `Which one is meant: ${oneOf(shortNames(candidates), more)}?` },
  };
}

const EMPTY = "The fleet shows no vehicles. Are the customer and the credentials right?";

function notFound(said: string, nearest: readonly Position[], count: number): ToolResult {
  const candidates = nearest.slice(0, count).map(candidateOf);
  // No name may be near, or a budget too small for any.
  if (count === 0) {
    const ask = "No vehicle fits. What is the registration?";
    return {
      text: `No vehicle fits "${said}". Ask the person for the registration, and call again with it.`,
      structured: { result: "notFound", candidates, ask },
    };
  }
  const ask = `No vehicle fits. Is one of these meant: ${shortNames(candidates).join("; ")}?`;
  return {
    text: `No vehicle fits "${said}". Nearest names: ${candidates.map(withDriver).join("; ")}. Ask the person which one is meant.`,
    structured: { result: "notFound", candidates, ask },
  };
}

export const locateVehicle: ReadTool = {
  name: "locate_vehicle",
  title: "Locate vehicle",
  description: "Where one vehicle is, what it is doing, since when, and who drives it. Finds it by name, registration, VIN, id or driver.",
  effect: "read",
  operations: [operations.listLivePositions],
  ...toolInput({ query: z.string().min(1).describe("As the person said it, such as truck 12") }),
  outputSchema: {
    type: "object",
    properties: {
      result: { type: "string", enum: ["found", "ambiguous", "notFound"] },
      vehicle: {
        type: "object",
        properties: { ...Object.fromEntries(answered.map((field) => [field, positionTypes[field]])), age: { type: "string" } },
      },
      matchedBy: { type: "string" },
      respelt: { type: "boolean", description: "The spelling differs from the query" },
      candidates: { type: "array", items: { type: "object" } },
      total: { type: "integer", description: "Candidates in all" },
      ask: { type: "string", description: "What to ask the person" },
    },
    required: ["result"],
  },
  run: async (args, context) => {
    const { settings, now } = context;
    const query = String(args["query"]);
    const said = plainText(query, 60);
    const fleet = await readFleet(context);
    if (fleet.positions.length === 0)
      return { text: `No vehicle fits "${said}". ${EMPTY}`, structured: { result: "notFound", candidates: [], ask: EMPTY } };
    const resolution = resolveName(query, fleet.vehicles());
    const nearest = resolution.result === "notFound" ? resolution.nearest() : [];
    const resultOf = (size: number): ToolResult => {
      if (resolution.result === "ambiguous")
        return ambiguous(
          said,
          resolution.matches.map(({ value }) => value),
          size,
        );
      if (resolution.result === "notFound") return notFound(said, nearest, size);
      const { match } = resolution;
      return found(match, said, match.value.privacy === true && settings.privacy !== "off", now(), SHARES[size] as number);
    };
    const most =
      resolution.result === "found"
        ? SHARES.length - 1
        : resolution.result === "ambiguous"
          ? Math.min(CANDIDATES_SHOWN, resolution.matches.length)
          : nearest.length;
    return largestFitting(most, settings.maxResultTokens, resultOf) ?? resultOf(0);
  },
};

import { parseDateTime } from "@fleetwire/core";
import type { Position } from "../fleet/position.ts";
import { vehicleLabel } from "../names/labels.ts";
import type { Match } from "../names/resolve-name.ts";
import { resultTokens } from "./budget.ts";
import { singleLine, singleLineOrUndefined } from "./clip-values.ts";
import { ageInWords, compassPoint, utc } from "./time.ts";
import type { ToolResult } from "./tool-result.ts";

/**
 * The fields shown for a vehicle, with the maximum length of each string (null if it is not one). A result should cost about 120 tokens.
 */
const MAX_LENGTHS = {
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

export const fieldsShown = Object.keys(MAX_LENGTHS) as (keyof typeof MAX_LENGTHS)[];

/** Fractions of these lengths, tried in order until the result fits, so that hostile strings cannot exceed a small budget. */
const SHARES = [1, 0.3, 0.1] as const;
const MIN_TEXT_LENGTH = 4;

const ACTIVITIES = new Map([
  ["ping", "last reported"],
  ["input", "sent an input"],
  ["unknown", "reported its charging"],
  ["defect", "reported a defect"],
]);

/** The fields shown in both text and record. */
function factsOf(position: Position, share: number): Position {
  const facts: Position = Object.fromEntries(
    fieldsShown.map((field) => {
      const [value, maxLength] = [position[field], MAX_LENGTHS[field]];
      return [
        field,
        maxLength === null ? value : singleLineOrUndefined(value?.toString(), Math.max(MIN_TEXT_LENGTH, Math.round(maxLength * share))),
      ];
    }),
  );
  return {
    ...facts,
    // Drops what is meaningless or redundant: a stationary vehicle's heading, a city and country already in the address, and flags that are
    // not set.
    ...(facts.speed === 0 && { heading: undefined }),
    ...(facts.formattedAddress !== undefined && { city: undefined, country: undefined }),
    ...(facts.privacy !== true && { privacy: undefined }),
    ...(facts.electricCharging !== true && { electricCharging: undefined }),
  };
}

function activityText({ eventType, speed, heading, electricCharging }: Position): string {
  const activity = eventType === undefined ? "activity unknown" : (ACTIVITIES.get(eventType) ?? eventType);
  const pace = speed === undefined ? "" : `, ${Math.round(speed)} km/h`;
  const direction = heading === undefined ? "" : `, heading ${compassPoint(heading)}`;
  return `${activity}${pace}${direction}${electricCharging ? ", charging" : ""}`;
}

function placeText({ locationName, formattedAddress, city, country, latitude, longitude }: Position): string {
  const address = formattedAddress ?? [city, country].filter(Boolean).join(", ");
  const point = latitude !== undefined && longitude !== undefined ? `at ${latitude.toFixed(5)}, ${longitude.toFixed(5)}` : "";
  const named = locationName === undefined ? "" : `at ${locationName}`;
  return [named, address, point].filter((part) => part !== "").join(", ") || "place not reported";
}

interface VehicleOptions {
  /** The query that found the vehicle. */
  query: string;
  /** Whether the vehicle's whereabouts are withheld because it is on a private journey. */
  isHidden: boolean;
  now: number;
}

function resultOf({ value, matchedBy, respelt }: Match<Position>, { query, isHidden, now }: VehicleOptions, share: number): ToolResult {
  const facts = factsOf(value, share);
  const at = parseDateTime(value.date);
  const age = at === undefined ? undefined : ageInWords(at, now);
  const where = isHidden ? "" : `, ${placeText(facts)}`;
  const when = at === undefined ? `time ${facts.date ?? "not reported"}` : `${utc(at)}, ${age}`;
  const driver = facts.driverName === undefined ? "No driver known" : `Driver: ${facts.driverName}`;
  const id = facts.assetId === undefined ? "" : ` Id: ${facts.assetId}.`;
  const how = matchedBy === "name" ? "" : ` Found by ${matchedBy}.`;
  const notes = [
    ...(isHidden ? ["On a private journey: whereabouts withheld."] : []),
    ...(respelt ? [`Spelt differently from "${singleLine(query, 30)}".`] : []),
  ];
  return {
    text: [`${vehicleLabel(facts, MAX_LENGTHS.assetName)}: ${activityText(facts)}${where}. ${when}. ${driver}.${id}${how}`, ...notes].join(
      " ",
    ),
    structured: {
      result: "found",
      vehicle: { ...facts, age },
      ...(matchedBy !== "name" && { matchedBy }),
      respelt,
      ...(notes.length > 0 && { note: notes.join(" ") }),
    },
  };
}

/** Renders where a vehicle is and what it is doing, shortening strings to fit the budget. */
export function vehicleResult(match: Match<Position>, options: VehicleOptions, budget: number): ToolResult {
  const results = SHARES.map((share) => resultOf(match, options, share));
  return results.find((result) => resultTokens(result) <= budget) ?? (results.at(-1) as ToolResult);
}

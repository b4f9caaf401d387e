import { isMoving, parseDateTime, wasMoving } from "@fleetwire/core/internal";
import { vehicleLabel } from "../fleet/entity-labels.ts";
import { impossiblePoint, type Position, type SentInstead, SOLD, sentInstead } from "../fleet/position.ts";
import type { ToolResult } from "../model/tool-result.ts";
import type { Match } from "../names/resolve-name.ts";
import { singleLine, singleLineOrUndefined } from "../text/clip-values.ts";
import { ageInWords, compassPoint, type ZonedTimes } from "../text/time.ts";
import { resultTokens } from "../text/token-budget.ts";

/**
 * The fields shown for a vehicle, with the maximum length of each string (null if it is not one). A result costs at most 150 tokens.
 */
const MAX_LENGTHS = {
  assetId: 24,
  assetName: 60,
  assetRegistration: 20,
  assetVin: 20,
  eventType: 20,
  ignitionStatus: 12,
  fuelLevelPercentage: null,
  fuelLevelLitres: null,
  electricBatteryLevelPercent: null,
  electricRangeKm: null,
  electricCharging: null,
  electricChargingTimeRemainingMins: null,
  activeFaultCodes: null,
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
  status: 12,
} as const satisfies { [Field in keyof Position]?: number | null };

export const fieldsShown = Object.keys(MAX_LENGTHS) as (keyof typeof MAX_LENGTHS)[];

const MAX_CODES = 6;
const MAX_CODE_LENGTH = 16;

/** Fractions of these lengths, tried in order until the result fits, so that hostile strings cannot exceed a small budget. */
const SHARES = [1, 0.3, 0.1] as const;
const MIN_TEXT_LENGTH = 4;

/** The type of event with which an electric vehicle reports whether it is charging. */
const CHARGING_REPORT = "unknown";

/** Events that do not say what a vehicle is doing, or contradict the rest of the record. */
const ACTIVITIES = new Map([
  ["driving", "last reported driving"],
  ["ping", "last reported"],
  ["input", "sent an input"],
  [CHARGING_REPORT, "reported whether it is charging"],
  ["defect", "reported a defect"],
]);

/** The number of decimals of a coordinate, which is about a meter. */
const DECIMALS = 5;
const rounded = (value: number | undefined, decimals = 0) => (value === undefined ? undefined : Number(value.toFixed(decimals)));

/** The VIN in the languages that people ask in. A VIN is long, so it is shown only if the query has such a word or the VIN itself. */
const VIN_WORDS = /(?<!\p{L})(?:vin|fin|chassis|fahrgestell\p{L}*|ch[aâ]ssis|telaio|bastidor|podwozi\p{L}*|chassi\p{L}*)(?!\p{L})/iu;

/** The fields shown in both text and record. */
function factsOf(position: Position, share: number, withVin: boolean): Position {
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
    activeFaultCodes: position.activeFaultCodes?.slice(0, MAX_CODES).map((code) => singleLine(code, MAX_CODE_LENGTH)),
    latitude: rounded(position.latitude, DECIMALS),
    longitude: rounded(position.longitude, DECIMALS),
    fuelLevelPercentage: rounded(position.fuelLevelPercentage),
    fuelLevelLitres: rounded(position.fuelLevelLitres),
    electricBatteryLevelPercent: rounded(position.electricBatteryLevelPercent),
    electricRangeKm: rounded(position.electricRangeKm),
    electricChargingTimeRemainingMins: rounded(position.electricChargingTimeRemainingMins),
    ...(!withVin && { assetVin: undefined }),
    // Drops what is meaningless or redundant: a stationary vehicle's heading, a city and country already in the address, and flags that are
    // not set.
    ...(facts.speed !== undefined && !wasMoving(position) && { heading: undefined }),
    ...(facts.formattedAddress !== undefined && { city: undefined, country: undefined }),
    ...(facts.privacy !== true && { privacy: undefined }),
    ...(facts.electricCharging !== true && { electricChargingTimeRemainingMins: undefined }),
    ...(facts.electricCharging !== true && facts.eventType !== CHARGING_REPORT && { electricCharging: undefined }),
    ...(facts.status !== SOLD && { status: undefined }),
  };
}

/** An old report of a moving vehicle does not say that it is moving now. */
function motionText(position: Position, now: number): string | undefined {
  if (!wasMoving(position)) return undefined;
  const motion = position.eventType === "driving" ? "driving" : "moving";
  return isMoving(position, now) ? motion : `last reported ${motion}`;
}

function activityText(position: Position, now: number): string {
  const { eventType, speed, heading } = position;
  const activity = motionText(position, now) ?? (eventType === undefined ? "activity unknown" : (ACTIVITIES.get(eventType) ?? eventType));
  const pace = speed === undefined ? "" : `, ${Math.round(speed)} km/h`;
  const direction = heading === undefined ? "" : `, heading ${compassPoint(heading)}`;
  return `${activity}${pace}${direction}`;
}

/** Describes a level by its possible values, or what the service sent instead of any. */
function levelText(name: string, values: readonly [value: number | undefined, sent: unknown, unit: string][]): string[] {
  const [first, ...more] = values.flatMap(([value, , unit]) => (value === undefined ? [] : [`${value}${unit}`]));
  if (first !== undefined) return [`${name} ${first}${more.length > 0 ? ` (${more.join(", ")})` : ""}`];
  const impossible = values.flatMap(([, sent, unit]) => (sent === undefined ? [] : [`${sent}${unit}`]));
  return impossible.length > 0 ? [`${name} not reported (the service sent ${impossible.join(", ")})`] : [];
}

/** Describes ignition, energy and faults, as far as the vehicle reports them. */
function conditionText(facts: Position, codes: number, sent: Readonly<Record<string, unknown>> = {}): string {
  const { ignitionStatus, fuelLevelPercentage: fuel, electricBatteryLevelPercent: battery, activeFaultCodes: shown } = facts;
  const minutes = facts.electricChargingTimeRemainingMins;
  const isCharging = facts.electricCharging;
  const charging = isCharging ? `charging${minutes === undefined ? "" : `, ${minutes} min left`}` : "not charging";
  const more = codes > (shown?.length ?? 0) ? ` and ${codes - (shown?.length ?? 0)} more` : "";
  const parts = [
    ...(ignitionStatus === undefined ? [] : [`ignition ${ignitionStatus}`]),
    ...levelText("fuel", [
      [fuel, sent["fuelLevelPercentage"], "%"],
      [facts.fuelLevelLitres, sent["fuelLevelLitres"], " l"],
    ]),
    ...levelText("battery", [[battery, sent["electricBatteryLevelPercent"], "%"]]),
    ...levelText("range", [[facts.electricRangeKm, sent["electricRangeKm"], " km"]]),
    ...(isCharging === undefined ? [] : [charging]),
    ...(shown === undefined ? [] : [shown.length === 0 ? "no active faults" : `active faults ${shown.join(", ")}${more}`]),
  ];
  const text = parts.join(", ");
  return text === "" ? "" : ` ${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function placeText({ locationName, formattedAddress, city, country, latitude, longitude }: Position, sent: SentInstead): string {
  const address = formattedAddress ?? [city, country].filter(Boolean).join(", ");
  const point = latitude !== undefined && longitude !== undefined ? `at ${latitude.toFixed(DECIMALS)}, ${longitude.toFixed(DECIMALS)}` : "";
  const named = locationName === undefined ? "" : `at ${locationName}`;
  return [named, address, point, impossiblePoint(sent) ?? ""].filter((part) => part !== "").join(", ") || "place not reported";
}

interface VehicleOptions {
  /** The query that found the vehicle. */
  query: string;
  /** Whether the vehicle's whereabouts are withheld because it is on a private journey. */
  isHidden: boolean;
  now: number;
  times: ZonedTimes;
}

function resultOf(
  { value, matchedBy, respelt }: Match<Position>,
  { query, isHidden, now, times }: VehicleOptions,
  share: number,
): ToolResult {
  const facts = factsOf(value, share, matchedBy === "vin" || VIN_WORDS.test(query));
  const at = parseDateTime(value.date);
  const age = at === undefined ? undefined : ageInWords(at, now);
  const where = isHidden ? "" : `, ${placeText(facts, value)}`;
  const when = at === undefined ? `time ${facts.date ?? "not reported"}` : `${times.text(at)} in ${times.zone}, ${age}`;
  const driver = facts.driverName === undefined ? "No driver known" : `Driver: ${facts.driverName}`;
  const vin = facts.assetVin === undefined ? "" : ` VIN: ${facts.assetVin}.`;
  const id = facts.assetId === undefined ? "" : ` Id: ${facts.assetId}.`;
  const how = matchedBy === "name" ? "" : ` Found by ${matchedBy}.`;
  const condition = conditionText(facts, value.activeFaultCodes?.length ?? 0, value[sentInstead]);
  const notes = [
    ...(facts.status === SOLD ? ["Sold: no longer in the fleet."] : []),
    ...(isHidden ? ["On a private journey: whereabouts withheld."] : []),
    ...(respelt ? [`Spelt differently from "${singleLine(query, 30)}".`] : []),
  ];
  return {
    text: [
      `${vehicleLabel(facts, MAX_LENGTHS.assetName)}: ${activityText(facts, now)}${where}.${condition} ${when}. ${driver}.${id}${vin}${how}`,
      ...notes,
    ].join(" "),
    structured: {
      result: "found",
      vehicle: { ...facts, ...(at !== undefined && { date: times.iso(at), age }) },
      ...(matchedBy !== "name" && { matchedBy }),
      ...(respelt && { respelt }),
      ...(notes.length > 0 && { note: notes.join(" ") }),
    },
  };
}

/** Renders where a vehicle is and what it is doing, shortening strings to fit the budget. */
export function vehicleResult(match: Match<Position>, options: VehicleOptions, budget: number): ToolResult {
  const [whole, ...smaller] = SHARES;
  let result = resultOf(match, options, whole);
  for (const share of smaller) {
    if (resultTokens(result) <= budget) break;
    result = resultOf(match, options, share);
  }
  return result;
}

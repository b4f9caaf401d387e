import { LivePosition, operations } from "@fleetwire/core";
import { isMoving, parseDateTime, wasMoving } from "@fleetwire/core/internal";
import * as z from "zod";
import { VEHICLES, vehicleLabel } from "../fleet/entities.ts";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import { impossiblePoint, type Position, type SentInstead, SOLD, sentInstead } from "../fleet/position.ts";
import { soldVehicle, unresolvedName } from "../lookup/find-entities.ts";
import type { ToolResult } from "../model/tool.ts";
import { questionProperties, questionResult } from "../names/name-question.ts";
import { type Match, resolveName } from "../names/resolve-name.ts";
import { fieldTypes, toolInput } from "../query/tool-input.ts";
import { singleLine, singleLineOrUndefined } from "../text/clip-values.ts";
import { ageInWords, compassPoint, timesOf, type ZonedTimes } from "../text/time.ts";
import { resultTokens } from "../text/token-budget.ts";

/** The fields shown, each with the length of a text, or the decimals of a number. A result costs at most 150 tokens. */
const SHOWN = {
  assetId: { length: 24 },
  assetName: { length: 60 },
  assetRegistration: { length: 20 },
  assetVin: { length: 20 },
  eventType: { length: 20 },
  ignitionStatus: { length: 12 },
  fuelLevelPercentage: { decimals: 0 },
  fuelLevelLitres: { decimals: 0 },
  electricBatteryLevelPercent: { decimals: 0 },
  electricRangeKm: { decimals: 0 },
  electricCharging: {},
  electricChargingTimeRemainingMins: { decimals: 0 },
  activeFaultCodes: {},
  speed: {},
  heading: {},
  // About a meter.
  latitude: { decimals: 5 },
  longitude: { decimals: 5 },
  formattedAddress: { length: 100 },
  city: { length: 40 },
  country: { length: 40 },
  locationName: { length: 60 },
  date: { length: 30 },
  driverName: { length: 60 },
  privacy: {},
  status: { length: 12 },
} as const satisfies { [Field in keyof Position]?: { length?: number; decimals?: number } };

const MAX_CODES = 6;
const MAX_CODE_LENGTH = 16;

/** Fractions of these lengths, tried in order until the result fits, so that hostile strings cannot exceed a small budget. */
const SHARES = [1, 0.3, 0.1];
const MIN_LENGTH = 4;

const positionTypes = fieldTypes(LivePosition);
const shownTypes = Object.fromEntries(Object.keys(SHOWN).map((field) => [field, positionTypes[field]]));

export const locateVehicle: ReadTool = {
  name: "locate_vehicle",
  title: "Locate vehicle",
  description:
    "One vehicle: where it is, what it is doing, since when, driver, fuel or charge, ignition, active faults; the VIN if query asks for it. Found by name, registration, VIN, id or driver.",
  effect: "read",
  operations: [operations.listLivePositions],
  ...toolInput({ query: z.string().min(1).describe("As the user said it, such as truck 12") }),
  outputSchema: {
    type: "object",
    properties: {
      ...questionProperties,
      result: { type: "string", enum: ["found", "ambiguous", "notFound"] },
      vehicle: { type: "object", properties: { ...shownTypes, age: { type: "string" } } },
      matchedBy: { type: "string" },
      respelt: { type: "boolean", description: "The spelling differs from the query" },
      total: { type: "integer", description: "Total candidates" },
      note: { type: "string", description: "Remarks and next steps" },
    },
    required: ["result"],
  },
  run: async (args, context) => {
    const query = String(args["query"]);
    const fleet = await readFleet(context);
    if (fleet.positions.length === 0) {
      const question = `No vehicle matches "${singleLine(query, 60)}". The fleet has no visible vehicles. Wrong customer id or credentials?`;
      return () => ({ text: question, structured: { result: "notFound", candidates: [], question } });
    }
    const listed = await resolveName(query, fleet.vehicles);
    const sold = listed.result === "notFound" ? await soldVehicle(query, context) : undefined;
    const resolution = sold ? ({ result: "found", match: sold } as const) : listed;
    if (resolution.result !== "found")
      return questionResult(await unresolvedName(resolution, query, { ...VEHICLES, field: "query" }), "read");
    const { match } = resolution;
    const isHidden = match.value.privacy === true && context.settings.privacy !== "off";
    const results = SHARES.map((share) => resultOf(match, { query, isHidden, share }, timesOf(context)));
    return (budget) => results.find((result) => resultTokens(result) <= budget) ?? (results.at(-1) as ToolResult);
  },
};

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

/** The VIN in the languages that people ask in. A VIN is long, so it is shown only if the query has such a word or the VIN itself. */
const VIN_WORDS = /(?<!\p{L})(?:vin|fin|chassis|fahrgestell\p{L}*|ch[aâ]ssis|telaio|bastidor|podwozi\p{L}*|chassi\p{L}*)(?!\p{L})/iu;

function shown(value: unknown, { length, decimals }: { length?: number; decimals?: number }, share: number): unknown {
  if (length !== undefined) return singleLineOrUndefined(value?.toString(), Math.max(MIN_LENGTH, Math.round(length * share)));
  return decimals !== undefined && typeof value === "number" ? Number(value.toFixed(decimals)) : value;
}

/** The fields shown in both text and record, without what is meaningless or said elsewhere. */
function factsOf(position: Position, share: number, withVin: boolean): Position {
  const facts: Position = Object.fromEntries(
    Object.entries(SHOWN).map(([field, limit]) => [field, shown(position[field as keyof typeof SHOWN], limit, share)]),
  );
  const { electricCharging: isCharging } = facts;
  return {
    ...facts,
    activeFaultCodes: position.activeFaultCodes?.slice(0, MAX_CODES).map((code) => singleLine(code, MAX_CODE_LENGTH)),
    ...(!withVin && { assetVin: undefined }),
    ...(facts.speed !== undefined && !wasMoving(position) && { heading: undefined }),
    ...(facts.formattedAddress !== undefined && { city: undefined, country: undefined }),
    ...(facts.privacy !== true && { privacy: undefined }),
    ...(isCharging !== true && { electricChargingTimeRemainingMins: undefined }),
    ...(isCharging !== true && facts.eventType !== CHARGING_REPORT && { electricCharging: undefined }),
    ...(facts.status !== SOLD && { status: undefined }),
  };
}

/** An old report of a moving vehicle does not say that it is moving now. */
function activityText(position: Position, now: number): string {
  const { eventType, speed, heading } = position;
  const motion = eventType === "driving" ? "driving" : "moving";
  const still = eventType === undefined ? "activity unknown" : (ACTIVITIES.get(eventType) ?? eventType);
  const moving = isMoving(position, now) ? motion : `last reported ${motion}`;
  const pace = speed === undefined ? "" : `, ${Math.round(speed)} km/h`;
  const direction = heading === undefined ? "" : `, heading ${compassPoint(heading)}`;
  return `${wasMoving(position) ? moving : still}${pace}${direction}`;
}

type Values = Readonly<Record<string, unknown>>;

/** Describes a level by its values with their units, or what the service sent instead of possible ones. */
function levelText(name: string, facts: object, sent: Values, units: Readonly<Record<string, string>>): string[] {
  const texts = (values: Values) =>
    Object.entries(units).flatMap(([field, unit]) => (values[field] === undefined ? [] : [`${values[field]}${unit}`]));
  const [first, ...more] = texts({ ...facts });
  if (first !== undefined) return [`${name} ${first}${more.length > 0 ? ` (${more.join(", ")})` : ""}`];
  const impossible = texts(sent);
  return impossible.length > 0 ? [`${name} not reported (the service sent ${impossible.join(", ")})`] : [];
}

/** Describes ignition, energy and faults, as far as the vehicle reports them. */
function conditionText(facts: Position, { activeFaultCodes, [sentInstead]: sent = {} }: Position): string {
  const { ignitionStatus, electricCharging: isCharging, electricChargingTimeRemainingMins: minutes, activeFaultCodes: codes } = facts;
  const more = (activeFaultCodes?.length ?? 0) - (codes?.length ?? 0);
  const text = [
    ...(ignitionStatus === undefined ? [] : [`ignition ${ignitionStatus}`]),
    ...levelText("fuel", facts, sent, { fuelLevelPercentage: "%", fuelLevelLitres: " l" }),
    ...levelText("battery", facts, sent, { electricBatteryLevelPercent: "%" }),
    ...levelText("range", facts, sent, { electricRangeKm: " km" }),
    ...(isCharging === undefined ? [] : [isCharging ? "charging" : "not charging"]),
    ...(minutes === undefined ? [] : [`${minutes} min left`]),
    ...(codes === undefined ? [] : [codes.length === 0 ? "no active faults" : `active faults ${codes.join(", ")}`]),
  ].join(", ");
  return text === "" ? "" : ` ${text.charAt(0).toUpperCase()}${text.slice(1)}${more > 0 ? ` and ${more} more` : ""}.`;
}

function placeText({ locationName, formattedAddress, city, country, latitude, longitude }: Position, sent: SentInstead): string {
  const { decimals } = SHOWN.latitude;
  const named = locationName && `at ${locationName}`;
  const address = formattedAddress ?? [city, country].filter(Boolean).join(", ");
  const point =
    latitude !== undefined && longitude !== undefined ? `at ${latitude.toFixed(decimals)}, ${longitude.toFixed(decimals)}` : undefined;
  return [named, address, point, impossiblePoint(sent)].filter(Boolean).join(", ") || "place not reported";
}

/** Says where a vehicle is and what it is doing. `isHidden`: whether its whereabouts are withheld, because it is on a private journey. */
function resultOf(
  { value, matchedBy, respelt }: Match<Position>,
  { query, isHidden, share }: { query: string; isHidden: boolean; share: number },
  times: ZonedTimes,
): ToolResult {
  const facts = factsOf(value, share, matchedBy === "vin" || VIN_WORDS.test(query));
  const at = parseDateTime(value.date);
  const age = at === undefined ? undefined : ageInWords(at, times.now);
  const notes = [
    ...(facts.status === SOLD ? ["Sold: no longer in the fleet."] : []),
    ...(isHidden ? ["On a private journey: whereabouts withheld."] : []),
    ...(respelt ? [`Spelt differently from "${singleLine(query, 30)}".`] : []),
  ];
  const where = isHidden ? "" : `, ${placeText(facts, value)}`;
  return {
    text: [
      `${vehicleLabel(facts, SHOWN.assetName.length)}: ${activityText(facts, times.now)}${where}.${conditionText(facts, value)}`,
      at === undefined ? `time ${facts.date ?? "not reported"}.` : `${times.text(at)} in ${times.zone}, ${age}.`,
      facts.driverName === undefined ? "No driver known." : `Driver: ${facts.driverName}.`,
      ...(facts.assetId === undefined ? [] : [`Id: ${facts.assetId}.`]),
      ...(facts.assetVin === undefined ? [] : [`VIN: ${facts.assetVin}.`]),
      ...(matchedBy === "name" ? [] : [`Found by ${matchedBy}.`]),
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

import { LivePosition, operations } from "@fleetwire/core";
import * as z from "zod";
import { maskPositions, type Position } from "../privacy.ts";
import { type MatchedBy, resolveVehicle } from "../resolver/resolve-vehicle.ts";
import { clipped, plainText } from "../results/cell.ts";
import { ageInWords, compassPoint, readInstant, utc } from "../results/time.ts";
import type { ToolResult } from "../results/tool-result.ts";
import type { Tool } from "../tool.ts";
import { fieldTypes, toolInput } from "./tool-input.ts";

const ANSWERED = [
  "assetId",
  "assetName",
  "assetRegistration",
  "eventType",
  "speed",
  "heading",
  "latitude",
  "longitude",
  "formattedAddress",
  "locationName",
  "date",
  "driverName",
  "privacy",
] as const satisfies readonly (keyof Position)[];

const positionTypes = fieldTypes(LivePosition);

const CANDIDATES_SHOWN = 5;

const ACTIVITIES: Record<string, string> = {
  ping: "last reported",
  input: "sent an input",
  unknown: "reported its charging",
  defect: "reported a defect",
};

function nameOf({ assetName, assetRegistration, assetId }: Position): string {
  const name = plainText(assetName ?? assetRegistration ?? assetId ?? "Vehicle without a name", 60);
  return assetName !== undefined && assetRegistration !== undefined ? `${name} (${plainText(assetRegistration, 20)})` : name;
}

function doing({ eventType, speed, heading, electricCharging }: Position): string {
  const activity = eventType === undefined ? "doing unknown" : (ACTIVITIES[eventType] ?? plainText(eventType, 20));
  const moving = speed !== undefined && speed > 0;
  const pace = moving ? ` at ${Math.round(speed)} km/h` : "";
  const direction = moving && heading !== undefined ? ` heading ${compassPoint(heading)}` : "";
  return `${activity}${pace}${direction}${electricCharging === true ? ", charging" : ""}`;
}

function place({ locationName, formattedAddress, city, country, latitude, longitude }: Position): string {
  const address = formattedAddress ?? [city, country].filter(Boolean).join(", ");
  const point = latitude !== undefined && longitude !== undefined ? `${latitude.toFixed(5)}, ${longitude.toFixed(5)}` : "";
  const named = locationName === undefined ? "" : `at ${plainText(locationName, 60)}, `;
  if (address === "") return point === "" ? "place not reported" : `${named}at ${point}`;
  return `${named}${plainText(address, 100)}${point === "" ? "" : ` (${point})`}`;
}

function found(position: Position, matchedBy: MatchedBy, hidden: boolean, now: number): ToolResult {
  const at = readInstant(position.date);
  const age = at === undefined ? undefined : ageInWords(at, now);
  const where = hidden ? "on a private journey, whereabouts withheld" : `${doing(position)}, ${place(position)}`;
  const when = at === undefined ? "time not reported" : `${utc(at)}, ${age}`;
  const driver = position.driverName === undefined ? "No driver known" : `Driver: ${plainText(position.driverName, 60)}`;
  const record = Object.fromEntries(
    ANSWERED.flatMap((field) => (position[field] === undefined ? [] : [[field, clipped(position[field])]])),
  );
  return {
    text: `${nameOf(position)}: ${where}. ${when}. ${driver}.`,
    structured: { result: "found", vehicle: { ...record, ...(age !== undefined && { age }) }, ...(matchedBy !== "name" && { matchedBy }) },
  };
}

function candidate(position: Position): Record<string, unknown> {
  const { assetId, assetName, assetRegistration, driverName } = position;
  return Object.fromEntries(
    Object.entries({ assetId, assetName, assetRegistration, driverName }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, plainText(value, 60)]],
    ),
  );
}

function ask(positions: readonly Position[], total: number): string {
  const names = positions.map(
    (position) => `${nameOf(position)}${position.driverName === undefined ? "" : `, driver ${plainText(position.driverName, 40)}`}`,
  );
  const more = total > names.length ? `; and ${total - names.length} more` : "";
  return `${names.join("; ")}${more}`;
}

export const locateVehicle: Tool = {
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
        properties: { ...Object.fromEntries(ANSWERED.map((field) => [field, positionTypes[field]])), age: { type: "string" } },
      },
      matchedBy: { type: "string" },
      candidates: { type: "array", items: { type: "object" } },
      total: { type: "integer", description: "Candidates in all" },
      ask: { type: "string", description: "What to ask the person" },
    },
    required: ["result"],
  },
  run: async (args, context) => {
    const { fleet, settings, now, signal } = context;
    const answer = await fleet.listLivePositions({ hideSpeedIfSpeedSensitive: settings.privacy !== "off" }, { ...(signal && { signal }) });
    const query = String(args["query"]);
    const resolution = resolveVehicle(query, maskPositions(answer, context));
    if (resolution.result === "found") {
      const { position, matchedBy } = resolution.match;
      return found(position, matchedBy, position.privacy === true && settings.privacy !== "off", now());
    }
    const said = plainText(query, 60);
    if (resolution.result === "ambiguous") {
      const { matches } = resolution;
      const shown = matches.slice(0, CANDIDATES_SHOWN).map(({ position }) => position);
      const question = `Which one is meant: ${ask(shown, matches.length)}?`;
      return {
        text: `Several vehicles fit "${said}". Ask the person: ${question} Then call again with its registration.`,
        structured: { result: "ambiguous", total: matches.length, candidates: shown.map(candidate), ask: question },
      };
    }
    const { nearest } = resolution;
    const question =
      nearest.length > 0
        ? `No vehicle fits. Is one of these meant: ${ask(nearest, nearest.length)}?`
        : "The fleet shows no vehicles. Are the customer and the credentials right?";
    return {
      text: `No vehicle fits "${said}". ${nearest.length > 0 ? `Nearest names: ${ask(nearest, nearest.length)}. Ask the person which one is meant.` : question}`,
      structured: { result: "notFound", candidates: nearest.map(candidate), ask: question },
    };
  },
};

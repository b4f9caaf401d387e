import type { TrackPoint } from "../map/canvas-layer.ts";
import { createFleetMap } from "../map/fleet-map.ts";
import { type DrawnPosition, type MapVehicle, mapVehicle } from "../map/map-vehicle.ts";
import { palettes, type Theme } from "../map/marker-shapes.ts";
import { connectToHost, type Host, type HostContext, type ToolResult } from "./host.ts";
import { createPanel } from "./panel.ts";
import "./map-app.css";

type Values = Record<string, unknown>;

const RECORD = "fleetwire/record";

const textOf = ({ content = [] }: ToolResult): string => content.flatMap(({ text }) => text ?? []).join("\n");

/** The record of a result. A server that sends models only text passes it in `_meta`. */
const recordOf = ({ structuredContent, _meta }: ToolResult): Values => structuredContent ?? (_meta?.[RECORD] as Values | undefined) ?? {};

const isObject = (value: unknown): value is Values => typeof value === "object" && value !== null;

/** The rows of a list as objects, whether the record contains objects or a table. */
function rowsOf({ items, candidates, columns, rows }: Values): Values[] {
  const objects = items ?? candidates;
  if (Array.isArray(objects)) return objects.filter(isObject);
  if (!Array.isArray(columns) || !Array.isArray(rows)) return [];
  return rows.map((row: unknown[]) => Object.fromEntries(columns.map((column, at) => [String(column), row[at] ?? undefined])));
}

/** The text of a result without its rows, which are the lines with several cells, and without the hint for models on how to get more. */
const remarksOf = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.includes(" | ") && !line.startsWith("More: "))
    .join("\n");

/** The vehicle that a result is about, if it is about a single one. */
const vehicleOf = (record: Values): (DrawnPosition & Values) | undefined =>
  isObject(record["vehicle"]) ? (record["vehicle"] as DrawnPosition & Values) : undefined;

/** The ids of the vehicles that a result is about, or their names if it has no ids. */
function subjectsOf(record: Values): string[] {
  const vehicle = vehicleOf(record);
  const subjects = vehicle ? [vehicle] : rowsOf(record);
  return (subjects as DrawnPosition[]).flatMap(({ assetId, assetName }) => assetId ?? assetName ?? []);
}

const READ_MAP = "read_map";
const LOCATE = "locate_vehicle";
/** The tool whose result of one vehicle is drawn as a track. */
const TRIPS = "trips_and_stops";
const TRACK_FIELDS = "vehicle,kind,latitude,longitude,endLatitude,endLongitude";
/** A result has a token budget, so that a long period takes several pages. */
const MAX_TRACK_PAGES = 10;
const TRACK_LIMIT = 200;
/** Milliseconds between reads while a vehicle is followed. */
const FOLLOW_EVERY = 10_000;
const HEIGHT = { wide: 460, narrow: 620 };
const NARROW = 600;
/** With more vehicles than this, fading the others would not help. */
const MAX_EMPHASIZED = 12;

const root = document.getElementById("app") as HTMLElement;
const tilesUrl = document.querySelector<HTMLMetaElement>('meta[name="tiles"]')?.content;
const area = document.createElement("div");
area.className = "map";

let host: Host | undefined;
let toolName: string | undefined;
let toolArguments: Values = {};
let subjects: string[] = [];
let selected: string | undefined;
let isFollowing = false;
let hasTrack = false;
let vehicles: MapVehicle[] = [];
/** The server's clock minus this one's, so that ages match those the server states. */
let clockOffset = 0;

const now = () => Date.now() + clockOffset;
const panel = createPanel({ refresh: () => void refresh(), follow: () => setFollowing(!isFollowing), fullscreen: toggleFullscreen }, now);
root.append(area, panel.element);
const map = createFleetMap(area, { tilesUrl, now, onSelect: (id) => void select(id), onFollowEnd: () => setFollowing(false) });

const isSubject = ({ id, name }: MapVehicle) => subjects.includes(id) || subjects.includes(name);

function setTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  for (const [state, colour] of Object.entries(palettes[theme].states)) document.documentElement.style.setProperty(`--${state}`, colour);
  map.setTheme(theme);
}

function applyContext({ theme, styles, displayMode }: HostContext): void {
  if (theme) setTheme(theme);
  for (const [name, value] of Object.entries(styles?.variables ?? {})) if (value) document.documentElement.style.setProperty(name, value);
  if (displayMode) document.documentElement.dataset["mode"] = displayMode;
}

/** Draws the vehicles, and highlights those that the result is about. */
function draw(): void {
  map.show(vehicles);
  const found = vehicles.filter(isSubject).map(({ id }) => id);
  map.emphasize(found.length > MAX_EMPHASIZED ? [] : found);
  const vehicle = vehicles.find(({ id }) => id === selected);
  map.select(vehicle?.id);
  panel.setVehicle(vehicle, found.length > 1 ? `${found.length} vehicles` : "Fleet");
  offerButtons(vehicle !== undefined);
}

function offerButtons(hasVehicle: boolean): void {
  const refresh = host?.callsTools === true;
  panel.setOffered({
    refresh,
    follow: refresh && hasVehicle,
    fullscreen: host?.context.availableDisplayModes?.includes("fullscreen") === true,
  });
}

/** Reads the whole fleet, if the host lets the page call tools. */
async function readFleet(): Promise<void> {
  if (host?.callsTools !== true) return;
  const result = await host.callTool(READ_MAP, { asked: selected === undefined ? subjects : [selected, ...subjects] });
  if (result.isError) return panel.setText(textOf(result));
  const record = recordOf(result);
  clockOffset = Date.parse(String(record["now"])) - Date.now() || 0;
  vehicles = rowsOf(record).flatMap((row) => mapVehicle(row as DrawnPosition, now()) ?? []);
}

/** Shows the text of a result, and a list row by row. */
function showText(result: ToolResult): void {
  const rows = rowsOf(recordOf(result)) as (DrawnPosition & Values)[];
  const listed = rows.flatMap(({ assetId, assetName, ...rest }) => {
    const name = assetName ?? assetId;
    const detail = Object.values(rest).filter((value) => typeof value === "string" || typeof value === "number");
    return name === undefined ? [] : [{ title: name, detail: detail.join(" · "), choose: () => void choose(assetId ?? idOf(name)) }];
  });
  panel.setText(listed.length > 0 ? remarksOf(textOf(result)) : textOf(result), listed);
}

const idOf = (name: string) => vehicles.find((vehicle) => vehicle.name === name)?.id;

/** Shows a result: first what it contains, then the fleet around it. */
async function showResult(result: ToolResult): Promise<void> {
  showText(result);
  const record = recordOf(result);
  const about = vehicleOf(record);
  subjects = subjectsOf(record);
  const vehicle = about && mapVehicle(about, now());
  if (vehicle && !vehicles.some(({ id }) => id === vehicle.id)) vehicles = [...vehicles, vehicle];
  selected = vehicle?.id;
  draw();
  moveToResult();
  await Promise.all([readFleet().catch(() => {}), showTrack().catch(() => {})]);
  if (selected === undefined && subjects.length === 1) selected = vehicles.find(isSubject)?.id;
  draw();
  moveToResult();
}

const placed = (latitude: unknown, longitude: unknown): TrackPoint =>
  typeof latitude === "number" && typeof longitude === "number" ? { latitude, longitude } : undefined;

/** Reads where the one vehicle of a result stood, in order; undefined if the result is about several vehicles, or about who was at a place. */
async function readTrack({ count, at, sort: _, fields: __, limit: ___, cursor: ____, ...others }: Values, { callTool }: Host) {
  if (count !== undefined || at !== undefined) return undefined;
  const rows: Values[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_TRACK_PAGES && (page === 0 || cursor !== undefined); page++) {
    const args = { ...others, fields: TRACK_FIELDS, sort: "start", limit: TRACK_LIMIT, ...(cursor !== undefined && { cursor }) };
    const result = await callTool(TRIPS, args);
    if (result.isError) return undefined;
    const record = recordOf(result);
    rows.push(...rowsOf(record));
    ({ next: cursor } = record);
  }
  const [{ vehicle } = {}] = rows;
  if (typeof vehicle !== "string" || rows.some((row) => row["vehicle"] !== vehicle)) return undefined;
  const points = rows.flatMap(({ kind, latitude, longitude, endLatitude, endLongitude }) => {
    const from = placed(latitude, longitude);
    return kind === "stop" ? [from] : [from, placed(endLatitude, endLongitude)];
  });
  return { vehicle, points };
}

/** Draws where the vehicle of a list of trips and stops stood: the host's model sees no coordinates, so they are read once more. */
async function showTrack(): Promise<void> {
  const asked = toolArguments;
  const track = toolName === TRIPS && host?.callsTools ? await readTrack(asked, host) : undefined;
  // Meanwhile, the user may have chosen another vehicle.
  if (toolArguments !== asked) return;
  if (track) subjects = [track.vehicle];
  hasTrack = track !== undefined;
  map.showTrack(track?.points ?? []);
}

function moveToResult(): void {
  if (hasTrack) return;
  if (selected !== undefined) map.moveTo(selected);
  else map.fit(subjects.length > 0 ? vehicles.filter(isSubject).map(({ id }) => id) : undefined);
}

/** Repeats the tool call, and reads the fleet again. */
async function refresh(): Promise<void> {
  if (!host?.callsTools) return;
  panel.setBusy(true);
  try {
    if (toolName !== undefined) showText(await host.callTool(toolName, toolArguments));
    await Promise.all([readFleet(), showTrack()]);
    draw();
  } catch {
    panel.setText("The refresh failed. Try again later.");
  } finally {
    panel.setBusy(false);
  }
}

function setFollowing(next: boolean): void {
  isFollowing = next;
  panel.setFollowing(next);
  map.follow(next ? selected : undefined);
}

function toggleFullscreen(): void {
  const mode = document.documentElement.dataset["mode"] === "fullscreen" ? "inline" : "fullscreen";
  host?.requestDisplayMode(mode).catch(() => {});
}

/** Moves to a vehicle that the user has chosen from a list. */
async function choose(id: string | undefined): Promise<void> {
  if (id === undefined) return;
  map.moveTo(id);
  await select(id);
}

/** Shows a vehicle that the user has chosen, as if the user had asked where it is. */
async function select(id: string | undefined): Promise<void> {
  selected = id;
  setFollowing(false);
  draw();
  if (id === undefined || !host?.callsTools) return;
  toolName = LOCATE;
  toolArguments = { query: id };
  void showTrack();
  const result = await host.callTool(toolName, toolArguments).catch(() => undefined);
  if (result && selected === id) showText(result);
}

setInterval(() => {
  if (!isFollowing || document.hidden) return;
  readFleet().then(draw, () => {});
}, FOLLOW_EVERY);

setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
panel.setText("Waiting for the result …");
draw();

host = await connectToHost(
  { name: "fleetwire-map", title: "Fleetwire map", version: "1.0.0" },
  {
    "ui/notifications/tool-input": (input) => {
      toolArguments = input.arguments ?? {};
    },
    "ui/notifications/tool-result": (result) => void showResult(result),
    "ui/notifications/tool-cancelled": () => panel.setText("The call was cancelled."),
    "ui/notifications/host-context-changed": applyContext,
  },
);
toolName = host.context.toolInfo?.tool?.name;
applyContext(host.context);
offerButtons(false);
const { height } = host.context.containerDimensions ?? {};
const sendHeight = () => host?.setHeight(height ?? (window.innerWidth < NARROW ? HEIGHT.narrow : HEIGHT.wide));
sendHeight();
window.addEventListener("resize", sendHeight);
host.ready();

import { batch, effect } from "@preact/signals";
import type { ConsoleFleet, ConsoleJob, ConsoleSearch, ConsoleVehicle, Section } from "../data/fleet-console.ts";
import type { ConsoleAbout, ConsoleEvents, ConsoleStatus } from "../data/page-data.ts";
import * as state from "./console-state.ts";
import { alerts, announce } from "./events.tsx";

const API = "/console/api/";

/** Thrown, with a message for the user, if the console's own server does not respond as it should. */
class ConsoleProblem extends Error {}

async function bodyOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => ({}));
  if (response.ok) return body;
  // The session has ended, or a customer has to be chosen first.
  if (response.status === 401) location.assign("/console/sign-in");
  const { problem } = body as { problem?: string };
  throw new ConsoleProblem(problem ?? `The console's server responded with ${response.status}`);
}

const unreachable = () => {
  throw new ConsoleProblem("The console's server does not respond: it may have been stopped");
};

/** Reads from the server that serves the page. */
async function readConsole<Value>(name: string, query: Readonly<Record<string, string>> = {}): Promise<Value> {
  const response = await fetch(`${API}${name}?${new URLSearchParams(query)}`).catch(unreachable);
  return (await bodyOf(response)) as Value;
}

const STATUS_MS = 1_000;
const JOBS_MS = 5_000;
const DETAIL_MS = 5_000;
const REQUESTS_KEPT = 200;
const EVENTS_KEPT = 200;
const TYPING_MS = 150;
const CHANGE_PROBLEM_MS = 10_000;

/**
 * Repeats a read until the page is closed, pausing while it is hidden unless it is needed then too. A failure is shown until a later read of the
 * same part succeeds.
 */
function repeat(part: string, read: () => Promise<void>, everyMs: () => number, isNeededHidden = () => false): void {
  const next = async () => {
    if (!document.hidden || isNeededHidden()) {
      try {
        await read();
        state.setProblem(part, undefined);
      } catch (error) {
        if (!(error instanceof ConsoleProblem)) throw error;
        state.setProblem(part, error.message);
      }
    }
    setTimeout(next, everyMs());
  };
  void next();
}

let version: string | undefined;

function takeFleet({ vehicles, complete, total, age, failure, version: newest }: ConsoleFleet): void {
  const known = new Map(complete ? [] : state.positions.value.map((position) => [position.assetId, position]));
  for (const vehicle of vehicles) known.set(vehicle.assetId, vehicle);
  const merged = complete ? vehicles : [...known.values()];
  // The changes do not include vehicles that have left the fleet.
  version = merged.length === total ? newest : undefined;
  batch(() => {
    if (vehicles.length > 0 || complete) state.positions.value = merged;
    state.reading.value = { age, ...(failure && { failure }) };
    state.isLoaded.value = true;
  });
}

async function readFleet(): Promise<void> {
  const section = await readConsole<Section<ConsoleFleet>>("fleet", version === undefined ? {} : { since: version });
  if ("problem" in section) throw new ConsoleProblem(section.problem);
  takeFleet(section.value);
}

async function readStatus(): Promise<void> {
  const after = state.requests.value.at(-1)?.id ?? 0;
  const status = await readConsole<ConsoleStatus>("status", { after: String(after) });
  batch(() => {
    state.status.value = { ...status, readAt: performance.now() };
    if (status.requests.length > 0) state.requests.value = [...state.requests.value, ...status.requests].slice(-REQUESTS_KEPT);
  });
}

async function readEvents(): Promise<void> {
  const before = state.events.value?.events ?? [];
  const last = before.at(-1)?.id;
  const read = await readConsole<ConsoleEvents | null>("events", last === undefined ? {} : { after: last });
  const known = new Set(before.map(({ id }) => id));
  const added = read?.events.filter(({ id }) => !known.has(id)) ?? [];
  // What had happened before the page was opened is no news.
  if (state.events.value) announce(added.length);
  state.events.value = read && { ...read, events: [...before, ...added].slice(-EVENTS_KEPT) };
}

/** Changes a sandbox's clock or faults, and shows the outcome. */
export async function applyChange(name: "clock" | "faults", change: object): Promise<void> {
  const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(change) };
  try {
    await bodyOf(await fetch(`${API}${name}`, sent).catch(unreachable));
    state.setProblem("change", undefined);
    await readStatus();
  } catch (error) {
    if (!(error instanceof ConsoleProblem)) throw error;
    state.setProblem("change", error.message);
    setTimeout(() => state.setProblem("change", undefined), CHANGE_PROBLEM_MS);
  }
}

async function readDetail(): Promise<void> {
  const id = state.selectedId.value;
  if (id === undefined) return;
  const detail = await readConsole<Section<ConsoleVehicle | undefined>>("vehicle", { id });
  if (id === state.selectedId.value) state.detail.value = detail;
}

async function search(query: string): Promise<void> {
  const section = await readConsole<Section<ConsoleSearch>>("search", { q: query });
  if (query !== state.query.value.trim()) return;
  state.setProblem("search", "problem" in section ? section.problem : undefined);
  if ("value" in section) state.found.value = section.value;
}

/** Keeps everything that the page shows up to date, by polling. */
export function startPolling(): void {
  repeat("status", readStatus, () => STATUS_MS);
  repeat(
    "fleet",
    async () => {
      state.about.value ??= await readConsole<ConsoleAbout>("about");
      await readFleet();
    },
    () => state.about.value?.refreshMs ?? STATUS_MS,
  );
  repeat(
    "jobs",
    async () => {
      state.jobs.value = await readConsole<Section<ConsoleJob[]>>("jobs");
    },
    () => JOBS_MS,
  );
  repeat(
    "events",
    readEvents,
    () => state.about.value?.refreshMs ?? STATUS_MS,
    () => alerts.value,
  );
  repeat("vehicle", readDetail, () => DETAIL_MS);
  effect(() => {
    if (state.selectedId.value === undefined) return;
    state.detail.value = undefined;
    readDetail().catch(() => {});
  });
  let typing: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const query = state.query.value.trim();
    clearTimeout(typing);
    state.setProblem("search", undefined);
    if (query === "") state.found.value = undefined;
    else typing = setTimeout(() => search(query).catch(() => {}), TYPING_MS);
  });
  setInterval(() => {
    state.tick.value++;
  }, 1_000);
}

import { parseDateTime } from "@fleetwire/core/internal";
import { effect, type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ConsoleEvent } from "../data/page-data.ts";
import { byId, events } from "./console-state.ts";
import { dateAndTime } from "./durations.ts";
import { select } from "./fleet-filters.ts";
import { tab } from "./page-address.ts";

/** Where the guide is published; set when the page is bundled. */
declare const GUIDE_URL: string;

const SETTING = "fleetwire-event-alerts";
const TITLE = document.title;
const TONE = { hertz: 880, seconds: 0.25, volume: 0.15 };

/** Uses the page's memory, as far as the browser lets a page have one. */
function memory<Value>(use: (storage: Storage) => Value): Value | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

/** Whether new events are counted, and give a tone. */
export const alerts: Signal<boolean> = signal(memory((storage) => storage.getItem(SETTING)) === "on");

/** How many events have come since the list was last in view. */
export const unseen = signal(0);

let audio: AudioContext | undefined;

function playTone(): void {
  if (audio?.state !== "running") return;
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
  const end = audio.currentTime + TONE.seconds;
  oscillator.frequency.value = TONE.hertz;
  gain.gain.setValueAtTime(TONE.volume, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, end);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start();
  oscillator.stop(end);
}

function setAlerting(isOn: boolean): void {
  alerts.value = isOn;
  memory((storage) => (isOn ? storage.setItem(SETTING, "on") : storage.removeItem(SETTING)));
  if (!isOn) unseen.value = 0;
}

/** Counts new events and gives a tone, if that is wanted. */
export function announce(count: number): void {
  if (count === 0 || !alerts.value) return;
  playTone();
  if (tab.value !== "Events" || document.hidden) unseen.value += count;
}

/** Keeps the number of unseen events in the title of the page, and in the badge of an installed one. */
export function showUnseen(): void {
  const look = () => {
    if (tab.value === "Events" && !document.hidden) unseen.value = 0;
  };
  effect(look);
  document.addEventListener("visibilitychange", look);
  effect(() => {
    const count = unseen.value;
    document.title = count > 0 ? `(${count}) ${TITLE}` : TITLE;
    if ("setAppBadge" in navigator) void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {});
  });
  // Browsers play nothing before the user does something on the page.
  for (const gesture of ["pointerdown", "keydown"])
    addEventListener(gesture, () => {
      if (!alerts.value) return;
      audio ??= new AudioContext();
      void audio.resume();
    });
}

function EventItem({ event }: { event: ConsoleEvent }) {
  const { when, text, vehicle, rule, at, late } = event;
  const id = vehicle?.id;
  const name = vehicle && (vehicle.name ?? vehicle.registration ?? id);
  return (
    <li class={`event ${when}`}>
      <bdi class="event-text">{text}</bdi>
      {late && <span class="pill late">noticed late</span>}
      <span class="job-line">
        {dateAndTime(parseDateTime(at) ?? 0)}
        {rule !== undefined && (
          <>
            {" · "}
            <bdi>{rule}</bdi>
          </>
        )}
        {name !== undefined && " · "}
        {id !== undefined && byId.value.has(id) ? (
          <button type="button" class="link" onClick={() => select(id)}>
            <bdi>{name}</bdi>
          </button>
        ) : (
          <bdi>{name}</bdi>
        )}
      </span>
    </li>
  );
}

interface SwitchProps {
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  children: ComponentChildren;
}

export const Switch = ({ isOn, onToggle, children }: SwitchProps) => (
  <label class="switch">
    <input type="checkbox" role="switch" aria-checked={isOn} checked={isOn} onChange={(change) => onToggle(change.currentTarget.checked)} />
    <span>{children}</span>
  </label>
);

function Rules({ rules, ruleCount }: { rules: readonly string[]; ruleCount: number }) {
  const more = ruleCount - rules.length;
  return (
    <details>
      <summary>{ruleCount === 1 ? "1 rule" : `${ruleCount} rules`}</summary>
      <ul>
        {rules.map((rule) => (
          <li key={rule}>
            <bdi>{rule}</bdi>
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </details>
  );
}

/** What has happened as the rules say, newest first. */
export function EventList() {
  const shown = events.value;
  if (shown === undefined) return <p class="none">Reading the events …</p>;
  if (shown === null)
    return (
      <p class="none">
        No rules are watched: start the server with <code>FLEET_RULES=rules.json</code>, as{" "}
        <a href={GUIDE_URL} target="_blank" rel="noreferrer">
          Tell me when
        </a>{" "}
        explains.
      </p>
    );
  const { since, problem, rules, ruleCount, events: list } = shown;
  return (
    <div class="events">
      {problem !== undefined && (
        <p class="problem">
          Rules not {since === undefined ? "watched" : "changed"}: {problem}
        </p>
      )}
      {since !== undefined && (
        <>
          <Switch isOn={alerts.value} onToggle={setAlerting}>
            Alert me <small>a tone for new events, and their number in the tab and the title</small>
          </Switch>
          <Rules rules={rules} ruleCount={ruleCount} />
          {list.length === 0 && <p class="none">Nothing has happened since {dateAndTime(since)}.</p>}
        </>
      )}
      <ul>
        {list.toReversed().map((event) => (
          <EventItem key={event.id} event={event} />
        ))}
      </ul>
    </div>
  );
}

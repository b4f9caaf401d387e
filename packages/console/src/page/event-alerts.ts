import { effect, signal } from "@preact/signals";
import { tab } from "./page-address.ts";

const SETTING = "fleetwire-event-alerts";
const TITLE = document.title;
const TONE = { hertz: 880, seconds: 0.25, volume: 0.15 };

/** The setting, as far as the browser lets a page keep one. */
function isRemembered(): boolean {
  try {
    return localStorage.getItem(SETTING) === "on";
  } catch {
    return false;
  }
}

function remember(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(SETTING, "on");
    else localStorage.removeItem(SETTING);
  } catch {
    // It applies until the page is closed.
  }
}

const alerts = signal(isRemembered());

/** Whether new events are counted, and give a tone. */
export const isAlerting = (): boolean => alerts.value;

/** How many events have come since the list was last in view. */
export const unseen = signal(0);

let audio: AudioContext | undefined;

/** Browsers play nothing before the user does something on the page. */
function allowSound(): void {
  audio ??= new AudioContext();
  void audio.resume();
}

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

export function setAlerting(isOn: boolean): void {
  alerts.value = isOn;
  remember(isOn);
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
  for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, () => alerts.value && allowSound());
}

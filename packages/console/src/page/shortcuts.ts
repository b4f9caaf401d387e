import { select } from "./fleet-filters.ts";
import { tab } from "./page-address.ts";

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("textarea, select, input:not([type=checkbox]), [contenteditable]");

/** `/` goes to the search field, and Escape closes the vehicle and returns to where it stands in the list. */
export function followShortcuts(): void {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (key === "Escape") {
      const hadFocus = target instanceof HTMLElement && target.closest(".panel") !== null;
      const row = document.querySelector<HTMLElement>(".row[aria-pressed=true]");
      select(undefined);
      if (hadFocus) row?.focus();
    }
    if (key !== "/" || ctrlKey || metaKey || altKey || isTyping(target)) return;
    event.preventDefault();
    tab.value = "Vehicles";
    // The tab is rendered in a microtask. By the next frame, letters would have been typed nowhere.
    queueMicrotask(() => document.querySelector<HTMLInputElement>("input[type=search]")?.focus());
  });
}

import { ageText, type MapVehicle, paceText, stateText } from "../map/map-vehicle.ts";

const SECOND = 1000;

/** The panel next to the map. All of its content is set as text. */
export function createPanel(on: { refresh(): void; follow(): void; fullscreen(): void }, now: () => number) {
  const element = document.createElement("section");
  element.className = "panel";
  element.setAttribute("aria-label", "Result");
  const add = <Tag extends keyof HTMLElementTagNameMap>(parent: HTMLElement, tag: Tag, className: string) => {
    const child = document.createElement(tag);
    child.className = className;
    parent.append(child);
    return child;
  };
  const heading = add(element, "h1", "panel-title");
  const state = add(element, "p", "panel-state");
  const age = add(element, "p", "panel-age");
  const result = add(element, "div", "panel-result");
  result.tabIndex = 0;
  result.setAttribute("aria-label", "Tool result");
  result.setAttribute("role", "region");
  const text = add(result, "p", "panel-text");
  const list = add(result, "ul", "panel-rows");
  const buttons = add(element, "div", "panel-buttons");
  const button = (label: string, run: () => void) => {
    const created = add(buttons, "button", "panel-button");
    created.type = "button";
    created.textContent = label;
    created.addEventListener("click", run);
    return created;
  };
  const refresh = button("Refresh", on.refresh);
  const follow = button("Follow", on.follow);
  const fullscreen = button("Full screen", on.fullscreen);
  follow.setAttribute("aria-pressed", "false");

  let shown: MapVehicle | undefined;
  const tick = () => {
    age.textContent = shown ? `Position ${ageText(shown.fixAt, now())}` : "";
    age.classList.toggle("is-old", shown?.isStale === true);
  };
  setInterval(tick, SECOND);

  return {
    element,
    /** Shows the text of a result, and the vehicles that it lists. */
    setText: (said: string, rows: readonly { title: string; detail: string; choose(): void }[] = []) => {
      text.textContent = said;
      list.replaceChildren();
      for (const { title, detail, choose } of rows) {
        const chosen = add(add(list, "li", ""), "button", "panel-row");
        chosen.type = "button";
        add(chosen, "strong", "").textContent = title;
        add(chosen, "span", "").textContent = detail;
        chosen.addEventListener("click", choose);
      }
      list.hidden = rows.length === 0;
    },
    /** Shows a vehicle's name, its state and the growing age of its fix; undefined shows only `title`. */
    setVehicle: (vehicle: MapVehicle | undefined, title: string) => {
      shown = vehicle;
      heading.textContent = vehicle?.name ?? title;
      state.hidden = age.hidden = vehicle === undefined;
      state.textContent = vehicle ? [stateText(vehicle), paceText(vehicle)].filter(Boolean).join(", ") : "";
      state.style.setProperty("--state", `var(--${vehicle?.state})`);
      tick();
    },
    setFollowing: (isFollowing: boolean) => follow.setAttribute("aria-pressed", String(isFollowing)),
    setBusy: (isBusy: boolean) => {
      refresh.disabled = isBusy;
      element.setAttribute("aria-busy", String(isBusy));
    },
    /** Hides the buttons for what the host cannot do. */
    setOffered: (offered: { refresh: boolean; follow: boolean; fullscreen: boolean }) => {
      refresh.hidden = !offered.refresh;
      follow.hidden = !offered.follow;
      fullscreen.hidden = !offered.fullscreen;
    },
  };
}

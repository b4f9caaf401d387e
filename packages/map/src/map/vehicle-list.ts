import { describeVehicle, type MapVehicle } from "./map-vehicle.ts";

const MAX_OPTIONS = 100;
let lists = 0;

/** A list of the vehicles in view for keyboard and screen reader users. It is visible while focused. */
interface VehicleList {
  element: HTMLElement;
  /** Offers these vehicles. */
  setVehicles: (vehicles: readonly MapVehicle[], now: number) => void;
  setSelected: (id: string | undefined) => void;
}

/** Creates a list that calls `choose` as soon as the arrow keys reach a vehicle. */
export function createVehicleList(choose: (id: string) => void): VehicleList {
  const element = document.createElement("div");
  const prefix = `fleet-map-option-${++lists}-`;
  element.className = "fleet-map-list";
  element.tabIndex = 0;
  element.setAttribute("role", "listbox");
  element.setAttribute("aria-label", "Vehicles in view");
  let offered: readonly MapVehicle[] = [];
  let selected: string | undefined;

  const mark = () => {
    element.removeAttribute("aria-activedescendant");
    for (const [at, option] of [...element.children].entries()) {
      const isSelected = offered[at]?.id === selected;
      option.setAttribute("aria-selected", String(isSelected));
      if (!isSelected) continue;
      element.setAttribute("aria-activedescendant", option.id);
      if (element.matches(":focus")) option.scrollIntoView({ block: "nearest" });
    }
  };
  element.addEventListener("keydown", (event) => {
    const at = offered.findIndex(({ id }) => id === selected);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: offered.length - 1 };
    const vehicle = offered[Math.min(steps[event.key] ?? Number.NaN, offered.length - 1)];
    if (!vehicle) return;
    event.preventDefault();
    choose(vehicle.id);
  });
  element.addEventListener("click", ({ target }) => {
    const vehicle = offered[[...element.children].indexOf(target as Element)];
    if (vehicle) choose(vehicle.id);
  });
  return {
    element,
    setVehicles: (vehicles, now) => {
      offered = [...vehicles].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })).slice(0, MAX_OPTIONS);
      element.replaceChildren(
        ...offered.map((vehicle, at) => {
          const option = document.createElement("div");
          option.id = prefix + at;
          option.setAttribute("role", "option");
          option.textContent = describeVehicle(vehicle, now);
          return option;
        }),
      );
      mark();
    },
    setSelected: (id) => {
      selected = id;
      mark();
    },
  };
}

import { control, LatLng, LatLngBounds, Map as LeafletMap, type LeafletMouseEvent, TileLayer } from "leaflet";
import { BaseMapLayer } from "./base-map-layer.ts";
import { CanvasLayer, type CanvasView, drawTrack, nearestCopy, type TrackPoint } from "./canvas-layer.ts";
import "./fleet-map.css";
import { describeVehicle, type MapVehicle } from "./map-vehicle.ts";
import { createLegend, palettes, type Theme } from "./marker-shapes.ts";
import { drawPlaceLabels, FreeSpace } from "./place-labels.ts";
import { type DrawnItem, VehicleMarkers } from "./vehicle-markers.ts";

interface FleetMapOptions {
  /** @default "light" */
  theme?: Theme;
  /** Template of a tile server, such as `https://tiles.example/{z}/{x}/{y}.png`. The base map stays beneath its tiles. */
  tilesUrl?: string | undefined;
  /** @default Date.now */
  now?: () => number;
  /** Called when the user selects a vehicle, or clicks where there is none. */
  onSelect?: (id: string | undefined) => void;
  /** Called when the user stops following by dragging the map. */
  onFollowEnd?: () => void;
}

const MAX_ZOOM = { shipped: 14, tiles: 18 };
const VEHICLE_ZOOM = 8;
const FIT_MAX_ZOOM = 11;
const EUROPE = new LatLngBounds([36, -10], [60, 30]);
const REACH = { mouse: 3, touch: 10 };
/** Vehicles in the list, and how many of them are shown at once. */
const MAX_LISTED = 100;
const MAX_ROWS = 12;

function addElement<Tag extends "div" | "select">(parent: HTMLElement, tag: Tag, className: string): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = className;
  parent.append(element);
  return element;
}

/** Creates a map in an element, which determines its size. It works offline; only `tilesUrl` makes it send requests. */
export function createFleetMap(element: HTMLElement, options: FleetMapOptions = {}) {
  const { theme = "light", tilesUrl, now = Date.now, onSelect, onFollowEnd } = options;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const markers = new VehicleMarkers();
  const legend = createLegend();
  let palette = palettes[theme];
  let followed: string | undefined;
  let track: readonly TrackPoint[] = [];
  let isFitted = false;
  let clusterShown: readonly MapVehicle[] | undefined;

  element.classList.add("fleet-map");
  element.dataset["theme"] = theme;
  const area = addElement(element, "div", "fleet-map-area");
  const map = new LeafletMap(area, {
    zoomControl: false,
    attributionControl: false,
    worldCopyJump: true,
    minZoom: 2,
    maxZoom: tilesUrl === undefined ? MAX_ZOOM.shipped : MAX_ZOOM.tiles,
    zoomAnimation: !isStill,
    fadeAnimation: false,
    inertia: !isStill,
  });
  area.setAttribute("role", "application");
  area.setAttribute(
    "aria-label",
    "Map of vehicles. Arrow keys pan, plus and minus zoom, 0 shows all vehicles. The next stop is a list of vehicles.",
  );
  const base = new BaseMapLayer(palette).addTo(map);
  const tiles = tilesUrl === undefined ? undefined : new TileLayer(tilesUrl, { maxZoom: MAX_ZOOM.tiles, className: "fleet-map-tiles" });
  tiles?.addTo(map);
  control.zoom({ position: "topleft" }).addTo(map);
  control.attribution({ prefix: false }).addTo(map);
  control.scale({ imperial: false, position: "bottomright" }).addTo(map);

  let view: CanvasView | undefined;
  const overlay = new CanvasLayer((context, drawn) => {
    view = drawn;
    const space = new FreeSpace();
    drawTrack(context, drawn, track, palette);
    markers.arrange(context, drawn, space);
    if (!tiles) drawPlaceLabels(context, drawn, space, palette);
    markers.paint(context, palette);
    offerVisible();
  }).addTo(map);

  const choose = (id: string | undefined) => {
    api.select(id);
    onSelect?.(id);
  };
  // For keyboard and screen reader users. It is visible while focused.
  const list = addElement(element, "select", "fleet-map-list");
  list.setAttribute("aria-label", "Vehicles in view");
  list.addEventListener("change", () => {
    choose(list.value);
    const vehicle = markers.vehicles.get(list.value);
    if (vehicle) map.panInside(pointOf(vehicle), { padding: [60, 60] });
  });
  const status = addElement(element, "div", "fleet-map-status");
  status.setAttribute("role", "status");
  element.append(legend.element);

  /** Where a vehicle is in the copy of the world that the map shows. */
  const pointOf = ({ latitude, longitude }: MapVehicle) => new LatLng(latitude, nearestCopy(longitude, map.getCenter().lng));

  /** Lists the vehicles in view, including those in clusters if they are few. */
  function offerVisible(): void {
    const bounds = map.getBounds();
    const visible: MapVehicle[] = [];
    for (const vehicle of clusterShown ?? markers.vehicles.values()) {
      if (clusterShown || bounds.contains(pointOf(vehicle))) visible.push(vehicle);
      if (visible.length === MAX_LISTED) break;
    }
    visible.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    list.replaceChildren(...visible.map((vehicle) => new Option(describeVehicle(vehicle, now()), vehicle.id)));
    list.size = Math.min(MAX_ROWS, Math.max(2, visible.length));
    list.value = markers.selected?.id ?? "";
  }

  const itemAt = ({ containerPoint, originalEvent }: LeafletMouseEvent): DrawnItem | undefined => {
    const isTouch = (originalEvent as PointerEvent).pointerType === "touch";
    const corner = view?.visible.min;
    return corner && markers.itemAt(containerPoint.add(corner), isTouch ? REACH.touch : REACH.mouse);
  };
  map.on("click", (event: LeafletMouseEvent) => {
    const item = itemAt(event);
    clusterShown = undefined;
    if (!item) return choose(undefined);
    if ("vehicle" in item) return choose(item.vehicle.id);
    const zoom = markers.expansionZoom(item.cluster);
    if (zoom <= map.getMaxZoom()) {
      map.setView(event.latlng, zoom);
      return;
    }
    // Zooming never separates vehicles at the same place, so they are listed.
    clusterShown = markers.membersOf(item.cluster, MAX_LISTED);
    offerVisible();
    list.focus();
  });
  map.on("mousemove", (event: LeafletMouseEvent) => {
    area.style.cursor = itemAt(event) ? "pointer" : "";
  });
  list.addEventListener("blur", () => {
    clusterShown = undefined;
  });
  map.on("dragstart", () => {
    if (followed === undefined) return;
    followed = undefined;
    onFollowEnd?.();
  });
  area.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") choose(undefined);
    if (key === "0") api.fit();
  });
  const resized = new ResizeObserver(() => map.invalidateSize({ pan: false }));
  resized.observe(area);
  map.fitBounds(EUROPE);

  const fitPlaces = (places: readonly Pick<MapVehicle, "latitude" | "longitude">[]) => {
    if (places.length === 0) return;
    // The narrower box, which may extend over the date line.
    const [here, beyond] = [0, 360].map(
      (turn) => new LatLngBounds(places.map(({ latitude, longitude }) => [latitude, longitude < 0 ? longitude + turn : longitude])),
    ) as [LatLngBounds, LatLngBounds];
    const widthOf = (box: LatLngBounds) => box.getEast() - box.getWest();
    const box = widthOf(beyond) < widthOf(here) ? beyond : here;
    map.fitBounds(box, { padding: [36, 36], maxZoom: FIT_MAX_ZOOM, animate: false });
  };
  const center = (id: string, zoom: number, isAnimated: boolean) => {
    const vehicle = markers.vehicles.get(id);
    if (vehicle) map.setView(pointOf(vehicle), zoom, { animate: isAnimated && !isStill });
  };
  const centerFollowed = () => {
    if (followed !== undefined) center(followed, Math.max(map.getZoom(), VEHICLE_ZOOM), true);
  };

  const api = {
    /** Replaces the vehicles. The first call fits the map to them; a followed vehicle stays centred. */
    show: (vehicles: readonly MapVehicle[]) => {
      markers.setVehicles(vehicles);
      legend.show(vehicles, palette, track.length > 0);
      if (!isFitted && vehicles.length > 0) {
        api.fit();
        isFitted = true;
      }
      centerFollowed();
      overlay.draw();
    },
    /** Highlights a vehicle and fades the others; undefined undoes this. The map does not move. */
    select: (id: string | undefined) => {
      markers.select(id);
      list.value = id ?? "";
      const { selected } = markers;
      status.textContent = selected ? describeVehicle(selected, now()) : "";
      overlay.draw();
    },
    /** Fades all but these vehicles and the selected one; an empty list undoes this. */
    emphasize: (ids: readonly string[]) => {
      markers.emphasize(ids);
      overlay.draw();
    },
    /** Keeps a vehicle centred until the user drags the map; undefined stops this. */
    follow: (id: string | undefined) => {
      followed = id;
      centerFollowed();
    },
    /** Moves the map to a vehicle, zoomed so that a dispatcher can tell where it is. */
    moveTo: (id: string) => {
      center(id, VEHICLE_ZOOM, false);
      isFitted = true;
    },
    /** Shows all vehicles, or these. */
    fit: (ids?: readonly string[]) => {
      fitPlaces(ids === undefined ? [...markers.vehicles.values()] : ids.flatMap((id) => markers.vehicles.get(id) ?? []));
    },
    /** Joins the places where a vehicle stood by straight lines, and shows all of a new track; an empty list removes it. */
    showTrack: (points: readonly TrackPoint[]) => {
      const isNew = track.length === 0;
      track = points;
      legend.show(markers.vehicles.values(), palette, track.length > 0);
      if (isNew && points.length > 0) {
        fitPlaces(points.flatMap((point) => point ?? []));
        isFitted = true;
      }
      overlay.draw();
    },
    setTheme: (next: Theme) => {
      palette = palettes[next];
      element.dataset["theme"] = next;
      base.setPalette(palette);
      legend.show(markers.vehicles.values(), palette, track.length > 0);
      overlay.draw();
    },
    destroy: () => {
      resized.disconnect();
      map.remove();
      element.replaceChildren();
      element.classList.remove("fleet-map");
    },
  };
  return api;
}

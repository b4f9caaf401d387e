import { escapeMarkup } from "@fleetwire/core/internal";
import { control, LatLng, LatLngBounds, Map as LeafletMap, type LeafletMouseEvent, TileLayer } from "leaflet";
import { BaseMapLayer, baseMapTiles, readTowns } from "./base-map-layer.ts";
import { CanvasLayer, type CanvasView } from "./canvas-layer.ts";
import { drawPlaceLabels } from "./place-labels.ts";
import "./fleet-map.css";
import { boxAround, nearestCopy } from "./date-line.ts";
import { FreeSpace } from "./free-space.ts";
import { createLegend } from "./legend.ts";
import { describeVehicle, type MapVehicle } from "./map-vehicle.ts";
import { palettes, type Theme } from "./palette.ts";
import { drawTrack, type TrackPoint } from "./track.ts";
import { createVehicleList } from "./vehicle-list.ts";
import { type DrawnItem, VehicleMarkers } from "./vehicle-markers.ts";

export interface FleetMapOptions {
  /** @default "light" */
  theme?: Theme;
  /** Template of a tile server, such as `https://tiles.example/{z}/{x}/{y}.png`. The base map stays beneath its tiles. */
  tilesUrl?: string | undefined;
  /** Attribution for those tiles, shown as text. */
  tilesAttribution?: string | undefined;
  /** The label for screen readers. @default "Map of vehicles" */
  label?: string;
  /** @default Date.now */
  now?: () => number;
}

export interface FleetMap {
  /** Replaces the vehicles. The first call fits the map to them; a followed vehicle stays centred. */
  show(vehicles: readonly MapVehicle[]): void;
  /** Highlights a vehicle and fades the others; undefined undoes this. The map does not move. */
  select(id: string | undefined): void;
  /** Fades all but these vehicles and the selected one; an empty list undoes this. */
  emphasize(ids: readonly string[]): void;
  /** Keeps a vehicle centred until the user drags the map; undefined stops this. */
  follow(id: string | undefined): void;
  /** Moves the map to a vehicle, zoomed so that a dispatcher can tell where it is. */
  moveTo(id: string): void;
  /** Shows all vehicles, or these. */
  fit(ids?: readonly string[]): void;
  /** Joins the places where a vehicle stood by straight lines, and shows all of a new track; an empty list removes it. */
  showTrack(points: readonly TrackPoint[]): void;
  setTheme(theme: Theme): void;
  /** Calls back when the user selects a vehicle, or clicks where there is none. */
  onSelect(callback: (id: string | undefined) => void): void;
  /** Calls back when the user stops following by dragging the map. */
  onFollowEnd(callback: () => void): void;
  destroy(): void;
}

const MAX_ZOOM = { shipped: 14, tiles: 18 };
const VEHICLE_ZOOM = 8;
const FIT_MAX_ZOOM = 11;
const EUROPE = new LatLngBounds([36, -10], [60, 30]);
const REACH = { mouse: 3, touch: 10 };
const CLUSTER_LIST = 100;

function addElement(parent: HTMLElement, className: string): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  parent.append(element);
  return element;
}

/** Creates a map in an element, which determines its size. It works offline; only `tilesUrl` makes it send requests. */
export function createFleetMap(element: HTMLElement, options: FleetMapOptions = {}): FleetMap {
  const { theme = "light", tilesUrl, label = "Map of vehicles", now = Date.now } = options;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const towns = readTowns();
  const markers = new VehicleMarkers();
  const legend = createLegend();
  const selectListeners: ((id: string | undefined) => void)[] = [];
  const followListeners: (() => void)[] = [];
  let palette = palettes[theme];
  let followed: string | undefined;
  let track: readonly TrackPoint[] = [];
  let isFitted = false;
  let clusterShown: readonly MapVehicle[] | undefined;

  element.classList.add("fleet-map");
  element.dataset["theme"] = theme;
  const area = addElement(element, "fleet-map-area");
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
    `${label}. Arrow keys pan, plus and minus zoom, 0 shows all vehicles. The next stop is a list of vehicles.`,
  );
  const base = new BaseMapLayer(baseMapTiles(), towns, palette).addTo(map);
  const tiles = tilesUrl === undefined ? undefined : new TileLayer(tilesUrl, { maxZoom: MAX_ZOOM.tiles, className: "fleet-map-tiles" });
  tiles?.addTo(map);
  control.zoom({ position: "topleft" }).addTo(map);
  const credits = control.attribution({ prefix: false }).addTo(map);
  control.scale({ imperial: false, position: "bottomright" }).addTo(map);
  if (tilesUrl !== undefined && options.tilesAttribution) credits.addAttribution(escapeMarkup(options.tilesAttribution));

  let view: CanvasView | undefined;
  const overlay = new CanvasLayer((context, drawn) => {
    view = drawn;
    const space = new FreeSpace();
    drawTrack(context, drawn, track, palette);
    markers.arrange(context, drawn, space);
    if (!tiles) drawPlaceLabels(context, drawn, towns, space, palette);
    markers.paint(context, palette);
    offerVisible();
  }).addTo(map);

  const choose = (id: string | undefined) => {
    api.select(id);
    for (const listener of selectListeners) listener(id);
  };
  const list = createVehicleList((id) => {
    choose(id);
    const vehicle = markers.vehicles.get(id);
    if (vehicle) map.panInside(pointOf(vehicle), { padding: [60, 60] });
  });
  const status = addElement(element, "fleet-map-status");
  status.setAttribute("role", "status");
  element.append(list.element, legend.element);

  /** Where a vehicle is in the copy of the world that the map shows. */
  const pointOf = ({ latitude, longitude }: MapVehicle) => new LatLng(latitude, nearestCopy(longitude, map.getCenter().lng));

  /** Lists the vehicles in view, including those in clusters if they are few. */
  function offerVisible(): void {
    const bounds = map.getBounds();
    const visible: MapVehicle[] = [];
    for (const vehicle of clusterShown ?? markers.vehicles.values()) {
      if (clusterShown || bounds.contains(pointOf(vehicle))) visible.push(vehicle);
      if (visible.length === CLUSTER_LIST) break;
    }
    list.setVehicles(visible, now());
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
    clusterShown = markers.membersOf(item.cluster, CLUSTER_LIST);
    offerVisible();
    list.element.focus();
  });
  map.on("mousemove", (event: LeafletMouseEvent) => {
    area.style.cursor = itemAt(event) ? "pointer" : "";
  });
  list.element.addEventListener("blur", () => {
    clusterShown = undefined;
  });
  map.on("dragstart", () => {
    if (followed === undefined) return;
    followed = undefined;
    for (const listener of followListeners) listener();
  });
  area.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") choose(undefined);
    if (key === "0") api.fit();
  });
  const resized = new ResizeObserver(() => map.invalidateSize({ pan: false }));
  resized.observe(area);
  map.fitBounds(EUROPE);

  const fitPlaces = (places: Parameters<typeof boxAround>[0]) => {
    const box = boxAround(places);
    if (!box) return;
    map.fitBounds(new LatLngBounds([box.south, box.west], [box.north, box.east]), {
      padding: [36, 36],
      maxZoom: FIT_MAX_ZOOM,
      animate: false,
    });
  };
  const center = (id: string, zoom: number, isAnimated: boolean) => {
    const vehicle = markers.vehicles.get(id);
    if (vehicle) map.setView(pointOf(vehicle), zoom, { animate: isAnimated && !isStill });
  };
  const centerFollowed = () => {
    if (followed !== undefined) center(followed, Math.max(map.getZoom(), VEHICLE_ZOOM), true);
  };

  const api: FleetMap = {
    show: (vehicles) => {
      markers.setVehicles(vehicles);
      legend.show(vehicles, palette, track.length > 0);
      if (!isFitted && vehicles.length > 0) {
        api.fit();
        isFitted = true;
      }
      centerFollowed();
      overlay.draw();
    },
    select: (id) => {
      markers.select(id);
      list.setSelected(id);
      const { selected } = markers;
      status.textContent = selected ? describeVehicle(selected, now()) : "";
      overlay.draw();
    },
    emphasize: (ids) => {
      markers.emphasize(ids);
      overlay.draw();
    },
    follow: (id) => {
      followed = id;
      centerFollowed();
    },
    moveTo: (id) => {
      center(id, VEHICLE_ZOOM, false);
      isFitted = true;
    },
    fit: (ids) => {
      fitPlaces(ids === undefined ? [...markers.vehicles.values()] : ids.flatMap((id) => markers.vehicles.get(id) ?? []));
    },
    showTrack: (points) => {
      const isNew = track.length === 0;
      track = points;
      legend.show(markers.vehicles.values(), palette, track.length > 0);
      if (isNew && points.length > 0) {
        fitPlaces(points.flatMap((point) => point ?? []));
        isFitted = true;
      }
      overlay.draw();
    },
    setTheme: (next) => {
      palette = palettes[next];
      element.dataset["theme"] = next;
      base.setPalette(palette);
      legend.show(markers.vehicles.values(), palette, track.length > 0);
      overlay.draw();
    },
    onSelect: (callback) => selectListeners.push(callback),
    onFollowEnd: (callback) => followListeners.push(callback),
    destroy: () => {
      resized.disconnect();
      map.remove();
      element.replaceChildren();
      element.classList.remove("fleet-map");
    },
  };
  return api;
}

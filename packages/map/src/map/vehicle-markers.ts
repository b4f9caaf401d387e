import type { Point } from "leaflet";
import Supercluster from "supercluster";
import type { CanvasView } from "./canvas-layer.ts";
import { type MapVehicle, type VehicleState, vehicleStates } from "./map-vehicle.ts";
import { drawMarker, type Palette } from "./marker-shapes.ts";
import { type FreeSpace, LABEL_FONT } from "./place-labels.ts";

/** A name, placed where there is room for it. */
interface DrawnName {
  text: string;
  left: number;
  y: number;
  vehicle: MapVehicle;
}

type StateCounts = Record<VehicleState, number>;

interface Cluster {
  id: number;
  count: number;
  counts: StateCounts;
}

/** What is drawn at a point: a vehicle, or several that are too close to each other. */
export type DrawnItem = { x: number; y: number; radius: number } & ({ vehicle: MapVehicle } | { cluster: Cluster });

/** Larger fleets are clustered over longer distances. */
const LARGE_FLEET = 300;
const CLUSTER_RADIUS = { small: 22, large: 46 };
const CLUSTER_MAX_ZOOM = 16;
const RADIUS = { normal: 8.5, selected: 12.5 };
const FADED = 0.45;
/** With more markers than this in view, names would be clutter. */
const MAX_NAMES = 120;
const NAME_LENGTH = 28;

const countOf = (state: VehicleState): StateCounts => ({ driving: 0, idling: 0, stopped: 0, charging: 0, other: 0, [state]: 1 });

function addCounts(sum: StateCounts, counts: Readonly<StateCounts>): void {
  for (const state of vehicleStates) sum[state] += counts[state];
}

const shortened = (name: string) => (name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name);
const nameFont = (isSelected: boolean) => `${isSelected ? "700 14px" : "600 12px"} ${LABEL_FONT}`;
const countText = (count: number) => (count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`);

/** The vehicles on the map: clusters, markers and names. */
export class VehicleMarkers {
  #vehicles = new Map<string, MapVehicle>();
  #index: Supercluster<{ vehicle: MapVehicle }, StateCounts> | undefined;
  #selected: string | undefined;
  #emphasized: ReadonlySet<string> = new Set();
  /** What was drawn last, topmost at the end. */
  #items: DrawnItem[] = [];
  #names: DrawnName[] = [];

  get vehicles(): ReadonlyMap<string, MapVehicle> {
    return this.#vehicles;
  }

  get selected(): MapVehicle | undefined {
    return this.#selected === undefined ? undefined : this.#vehicles.get(this.#selected);
  }

  setVehicles(vehicles: readonly MapVehicle[]): void {
    this.#vehicles = new Map(vehicles.map((vehicle) => [vehicle.id, vehicle]));
    this.#index = undefined;
  }

  select(id: string | undefined): void {
    if (this.#selected === id) return;
    this.#selected = id;
    this.#index = undefined;
  }

  /** Keeps these vehicles out of clusters and fades the others. */
  emphasize(ids: readonly string[]): void {
    this.#emphasized = new Set(ids);
    this.#index = undefined;
  }

  #isFaded(id: string | undefined): boolean {
    if (this.selected === undefined && this.#emphasized.size === 0) return false;
    return id === undefined || !(id === this.#selected || this.#emphasized.has(id));
  }

  /** The cluster index: all vehicles except those that must stay visible. */
  #indexed() {
    if (this.#index) return this.#index;
    const vehicles = [...this.#vehicles.values()].filter(({ id }) => id !== this.#selected && !this.#emphasized.has(id));
    this.#index = new Supercluster<{ vehicle: MapVehicle }, StateCounts>({
      radius: vehicles.length > LARGE_FLEET ? CLUSTER_RADIUS.large : CLUSTER_RADIUS.small,
      extent: 256,
      maxZoom: CLUSTER_MAX_ZOOM,
      map: ({ vehicle }) => countOf(vehicle.state),
      reduce: addCounts,
    }).load(
      vehicles.map((vehicle) => ({
        type: "Feature",
        geometry: { type: "Point", coordinates: [vehicle.longitude, vehicle.latitude] },
        properties: { vehicle },
      })),
    );
    return this.#index;
  }

  /** The zoom level at which a cluster splits. */
  expansionZoom({ id }: Cluster): number {
    return this.#indexed().getClusterExpansionZoom(id);
  }

  membersOf({ id }: Cluster, limit: number): MapVehicle[] {
    return this.#indexed()
      .getLeaves(id, limit)
      .map(({ properties }) => properties.vehicle);
  }

  /** Computes what to draw and where, and marks that space as taken. */
  arrange(context: CanvasRenderingContext2D, { bounds, zoom, pointOf }: CanvasView, space: FreeSpace): void {
    const box: [number, number, number, number] = [
      bounds.getWest(),
      Math.max(-85, bounds.getSouth()),
      bounds.getEast(),
      Math.min(85, bounds.getNorth()),
    ];
    this.#items = this.#indexed()
      .getClusters(box, Math.round(zoom))
      .map(({ geometry, properties }): DrawnItem => {
        const [longitude = 0, latitude = 0] = geometry.coordinates;
        const { x, y } = pointOf(latitude, longitude);
        if (!("cluster" in properties)) return { x, y, radius: RADIUS.normal, vehicle: properties.vehicle };
        const { cluster_id: id, point_count: count, ...counts } = properties;
        return { x, y, radius: 11 + 3.2 * Math.log10(count), cluster: { id, count, counts } };
      });
    // Southern markers overlap northern ones, as if seen at an angle.
    this.#items.sort((a, b) => a.y - b.y);
    for (const id of [...this.#emphasized].filter((id) => id !== this.#selected).concat(this.#selected ?? [])) {
      const vehicle = this.#vehicles.get(id);
      if (!vehicle) continue;
      const { x, y } = pointOf(vehicle.latitude, vehicle.longitude);
      this.#items.push({ x, y, radius: id === this.#selected ? RADIUS.selected : RADIUS.normal, vehicle });
    }
    for (const { x, y, radius } of this.#items) space.take({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius });
    this.#arrangeNames(context, space);
  }

  /** Finds room for names, most prominent vehicles first. */
  #arrangeNames(context: CanvasRenderingContext2D, space: FreeSpace): void {
    const { selected } = this;
    // The most prominent items are drawn last.
    const markers = this.#items.flatMap((item) => ("vehicle" in item ? [item] : [])).reverse();
    this.#names = markers.slice(0, MAX_NAMES).flatMap(({ x, y, radius, vehicle }) => {
      const isSelected = vehicle === selected;
      context.font = nameFont(isSelected);
      const text = shortened(vehicle.name);
      const width = context.measureText(text).width;
      const gap = radius + (isSelected ? 11 : 4);
      const left = [x + gap, x - gap - width].find((start) =>
        space.claim({ left: start, right: start + width, top: y - 8, bottom: y + 8 }),
      );
      return left === undefined && !isSelected ? [] : [{ text, left: left ?? x + gap, y, vehicle }];
    });
  }

  paint(context: CanvasRenderingContext2D, palette: Palette): void {
    const { selected } = this;
    context.textBaseline = "middle";
    for (const item of this.#items) {
      const isSelected = "vehicle" in item && item.vehicle === selected;
      context.globalAlpha = this.#isFaded("vehicle" in item ? item.vehicle.id : undefined) ? FADED : 1;
      context.save();
      context.translate(item.x, item.y);
      if ("cluster" in item) drawCluster(context, item.radius, item.cluster, palette);
      else {
        if (isSelected) drawSelection(context, item.radius, palette);
        drawMarker(context, { ...item.vehicle, radius: item.radius }, palette);
      }
      context.restore();
    }
    context.globalAlpha = 1;
    context.textAlign = "left";
    context.lineJoin = "round";
    for (const { text, left, y, vehicle } of this.#names) {
      const isSelected = vehicle === selected;
      context.font = nameFont(isSelected);
      context.globalAlpha = this.#isFaded(vehicle.id) ? FADED + 0.2 : 1;
      context.lineWidth = isSelected ? 5 : 3.5;
      context.strokeStyle = palette.halo;
      context.strokeText(text, left, y);
      context.fillStyle = palette.vehicleLabel;
      context.fillText(text, left, y);
    }
    context.globalAlpha = 1;
  }

  /** The topmost item at a point of the canvas. */
  itemAt({ x, y }: Pick<Point, "x" | "y">, reach: number): DrawnItem | undefined {
    return this.#items.findLast((item) => Math.hypot(item.x - x, item.y - y) <= item.radius + reach);
  }
}

function drawSelection(context: CanvasRenderingContext2D, radius: number, palette: Palette): void {
  context.beginPath();
  context.arc(0, 0, radius + 8, 0, 2 * Math.PI);
  context.globalAlpha = 0.18;
  context.fillStyle = palette.selection;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = 5;
  context.strokeStyle = palette.halo;
  context.stroke();
  context.lineWidth = 2.5;
  context.strokeStyle = palette.selection;
  context.stroke();
}

/** Draws a cluster as a number of vehicles inside a ring that shows the share of each state. */
function drawCluster(context: CanvasRenderingContext2D, radius: number, { count, counts }: Cluster, palette: Palette): void {
  context.beginPath();
  context.arc(0, 0, radius + 2, 0, 2 * Math.PI);
  context.fillStyle = palette.halo;
  context.fill();
  context.lineWidth = 4;
  let from = -Math.PI / 2;
  for (const state of vehicleStates) {
    if (counts[state] === 0) continue;
    const to = from + (counts[state] / count) * 2 * Math.PI;
    context.beginPath();
    context.arc(0, 0, radius - 2, from, to);
    context.strokeStyle = palette.states[state];
    context.stroke();
    from = to;
  }
  context.fillStyle = palette.vehicleLabel;
  context.font = `600 ${count < 1000 ? 12 : 11}px ${LABEL_FONT}`;
  context.textAlign = "center";
  context.fillText(countText(count), 0, 0.5);
}

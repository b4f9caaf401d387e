export { createFleetMap, type FleetMap, type FleetMapOptions } from "./map/fleet-map.ts";
export {
  ageText,
  type DrawnPosition,
  describeVehicle,
  isStale,
  type MapVehicle,
  mapVehicle,
  nameOf,
  paceText,
  stateNames,
  stateText,
  type VehicleState,
  vehicleState,
  vehicleStates,
} from "./map/map-vehicle.ts";
export { drawMarker } from "./map/marker-shapes.ts";
export { type Palette, palettes, type Theme } from "./map/palette.ts";

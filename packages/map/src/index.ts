export { createFleetMap, type FleetMap, type FleetMapOptions } from "./map/fleet-map.ts";
export {
  ageText,
  type DrawnPosition,
  describeVehicle,
  type MapVehicle,
  mapVehicle,
  nameOf,
  paceText,
  stateNames,
  type VehicleState,
  vehicleState,
  vehicleStates,
} from "./map/map-vehicle.ts";
export { drawMarker } from "./map/marker-shapes.ts";
export { type Palette, palettes, type Theme } from "./map/palette.ts";

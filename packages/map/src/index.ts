export { createFleetMap } from "./map/fleet-map.ts";
export {
  ageText,
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
export { drawMarker, palettes, type Theme } from "./map/marker-shapes.ts";

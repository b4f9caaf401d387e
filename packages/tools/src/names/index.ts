export { driversIn, groupsIn, placesIn } from "./fleet-names.ts";
export { driverNaming, groupNaming, placeNaming, vehicleNaming } from "./fleet-naming.ts";
export { NameIndex } from "./name-index.ts";
export { resolveName } from "./resolve-name.ts";
export { TownIndex } from "./town-index.ts";
export { placeWords, townNames } from "./towns.ts";

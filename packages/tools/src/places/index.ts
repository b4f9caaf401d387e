export { TownIndex } from "./town-index.ts";
export { placeWords, townNames } from "./towns.ts";

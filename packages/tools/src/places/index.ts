export { TownIndex } from "./town-index.ts";
export { townNames, townWords } from "./towns.ts";

import { expect, it } from "vitest";
import { encodeLines } from "../scripts/generate-base-map.ts";
import { decodeLines, type Position } from "../src/map/base-map.ts";

const far = "14.755 53.109,-179.999 -85,180 85,0 0";

it.each(["", far, "1 2,1.001 2.002;-3 -4"])("lines of the base map are read as written: %j", (text) => {
  const lines = text === "" ? [] : text.split(";").map((line) => line.split(",").map((place) => place.split(" ").map(Number) as Position));
  expect(decodeLines(encodeLines(lines))).toEqual(lines);
});

import { describe, expect, it } from "vitest";
import { decodeLines, encodeLines, type Position } from "../src/base-map/base-map-data.ts";

describe("lines of the base map", () => {
  it.each<[string, Position[][]]>([
    ["are empty", []],
    [
      "go in all directions",
      [
        [
          [14.755, 53.109],
          [-179.999, -85],
          [180, 85],
          [0, 0],
        ],
      ],
    ],
    [
      "are several",
      [
        [
          [1, 2],
          [1.001, 2.002],
        ],
        [[-3, -4]],
      ],
    ],
  ])("are read as written when they %s", (_, lines) => {
    expect(decodeLines(encodeLines(lines))).toEqual(lines);
  });
});

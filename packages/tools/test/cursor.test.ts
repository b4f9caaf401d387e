import { FleetError } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readCursor, writeCursor } from "../src/query/cursor.ts";

/** As written by earlier releases. */
const KNOWN: [(string | number)[], string][] = [
  [[1, "abc"], "WzEsImFiYyJd"],
  [["Łódź ✓", "v-1", 3], "WyLFgcOzZMW6IOKckyIsInYtMSIsM10"],
  [["🚚", "a\ud800"], "WyLwn5qaIiwiYVx1ZDgwMCJd"],
  [[0.5, -1, ""], "WzAuNSwtMSwiIl0"],
  [[], "W10"],
];

// A model may wrap what it copies, or use the other alphabet.
const READ: [string, unknown][] = [
  ["WzEsImFiYyJd==", [1, "abc"]],
  ["WzEs ImFiYyJd", [1, "abc"]],
  ["WzEsImFiYyJd\n", [1, "abc"]],
  ["WyI+Pz8iXQ", [">??"]],
  ["WyI-Pz8iXQ", [">??"]],
  ["Ilx1ZDgwMCI", "\ud800"],
];

const REFUSED = ["", "!", "WzEsImFiYyJ", "WzEsImFiYyJdA", "WzEs=ImFiYyJd", "77u_WzFd", "next page", "🚚"];

describe("a cursor", () => {
  it.each(KNOWN)("of %j can be encoded and decoded", (place, cursor) => {
    expect(writeCursor(place)).toBe(cursor);
    expect(readCursor(cursor, z.unknown())).toEqual(place);
  });

  it.each(READ)("can be decoded from %j", (cursor, place) => expect(readCursor(cursor, z.unknown())).toEqual(place));

  it("may have ten thousand characters", () => {
    const place = ["v".repeat(7_496)];
    expect(writeCursor(place)).toHaveLength(10_000);
    expect(readCursor(writeCursor(place), z.unknown())).toEqual(place);
    expect(() => readCursor(writeCursor(["v".repeat(7_497)]), z.unknown())).toThrow("cursor: was not issued by this tool");
  });

  it.each(REFUSED)("is rejected if it is %j", (cursor) => {
    expect(() => readCursor(cursor, z.unknown())).toThrow(FleetError);
    const error = expect.objectContaining({ code: "input", advice: "Call again without cursor to start from the beginning" });
    expect(() => readCursor(cursor, z.unknown())).toThrow(error);
  });

  it("is rejected if it belongs to another list", () => {
    expect(() => readCursor("WzEsImFiYyJd", z.tuple([z.string()]))).toThrow(/cursor: was not issued by this tool/);
  });
});

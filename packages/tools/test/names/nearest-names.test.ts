import { expect, it } from "vitest";
import { vehicleNaming } from "../../src/fleet/fleet-naming.ts";
import type { Position } from "../../src/fleet/position.ts";
import { NameIndex } from "../../src/names/name-index.ts";
import { nearestNames } from "../../src/names/nearest-names.ts";
import { compact, editDistance, isNumber, nameTokens, rawWords } from "../../src/text/spelling.ts";
import { thousandVehicles } from "./thousand-vehicles.ts";

/** The definition: each prefix of one string against each prefix of the other. */
function plainDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, row) => Array.from({ length: b.length + 1 }, (__, column) => row || column));
  const at = (row: number, column: number) => rows[row]?.[column] as number;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      (rows[row] as number[])[column] = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped);
    }
  }
  return at(a.length, b.length);
}

/** The rules of nearest names, without an index: every name and code is compared. */
function plainNearest(query: string, positions: readonly Position[], index: NameIndex<Position>): (string | undefined)[] {
  const words = rawWords(query.toLowerCase());
  const tokens = nameTokens(query);
  const code = words.join("");
  const known = tokens.filter(index.names.hasWord);
  const variants = [tokens, ...(known.some(isNumber) ? [known] : [])].map((some) => some.join(" "));
  const candidates: { vehicle: Position; distance: number; byCode: number }[] = [];
  for (const vehicle of positions) {
    for (const { of } of vehicleNaming.names) {
      const name = nameTokens(of(vehicle) ?? "");
      const text = name.join(" ");
      const isShort =
        name.length === tokens.length && tokens.every((word, at) => (isNumber(word) ? word === name[at] : name[at]?.startsWith(word)));
      const least = Math.min(...variants.map((variant) => plainDistance(variant, text)));
      const hasNumber = tokens.some((word) => isNumber(word) && name.includes(word));
      const limit = hasNumber ? 23 : Math.floor(0.4 * Math.max((variants[0] as string).length, text.length));
      if (name.length > 0 && (isShort || least <= limit)) candidates.push({ vehicle, distance: isShort ? 0 : least, byCode: 0 });
    }
    for (const { of, minPartLength, minSuffixLength } of vehicleNaming.codes) {
      const text = compact(of(vehicle) ?? "");
      const distance = text.includes(code) ? 1 : plainDistance(code, text);
      const isNear = distance <= Math.floor(0.4 * code.length) && text !== "" && (minPartLength ?? minSuffixLength) !== undefined;
      if (isNear && /\d/.test(code)) candidates.push({ vehicle, distance, byCode: 1 });
    }
  }
  const sorted = candidates.filter(({ distance }) => distance < 24).sort((a, b) => a.distance - b.distance || a.byCode - b.byCode);
  return [...new Set(sorted.map(({ vehicle }) => vehicle.assetId))].slice(0, 3);
}

it("finds what comparing every name and code finds", async () => {
  const { positions } = await thousandVehicles();
  const fleet = positions.slice(0, 160);
  const index = new NameIndex(vehicleNaming);
  for (const position of fleet) index.set(position.assetId, position);
  const [one, other] = [fleet[7] as Position, fleet[150] as Position];
  const queries = [
    "truck 999999",
    "T 12",
    "vann 3",
    "hamburg van 99999",
    "Zorblax Quuxington",
    "van 12 reg KX21 ABC",
    ...[one, other].flatMap(({ assetRegistration = "", driverName = "", assetVin = "" }) => [
      assetRegistration.replace(/\d/, "8"),
      `${driverName}s son`,
      `x${driverName.slice(2)}`,
      assetVin.slice(4, 12),
    ]),
  ].filter((query) => nameTokens(query).length > 1);
  for (const query of queries) {
    const found = await nearestNames({ words: rawWords(query.toLowerCase()), tokens: nameTokens(query) }, index);
    expect([query, ...found.map(({ assetId }) => assetId)], "see packages/tools/src/names/nearest-names.ts").toEqual([
      query,
      ...plainNearest(query, fleet, index),
    ]);
  }
});

it("lists equally near codes in the order in which their vehicles were added", async () => {
  const index = new NameIndex(vehicleNaming);
  const [first, second] = [
    { assetId: "a", assetName: "Bus" },
    { assetId: "b", assetName: "Van", assetRegistration: "KX21 ABC" },
  ];
  for (const vehicle of [first, second]) index.set(vehicle.assetId, vehicle);
  index.set(first.assetId, { ...first, assetRegistration: "KX21 ABE" });
  const found = await nearestNames({ words: ["kx21", "abd"], tokens: ["kx21", "abd"] }, index);
  expect(
    found.map(({ assetId }) => assetId),
    "see packages/tools/src/names/nearest-names.ts",
  ).toEqual(["a", "b"]);
});

it("counts edits as their definition does", () => {
  const words = "a ab ba abc acb abcd truck trukc trcuk hamburg hambrug hambourg karolina corolina öberg oberg".split(" ");
  for (const a of [...words, "long".repeat(9)]) {
    for (const b of [...words, `${"long".repeat(8)}lnog`]) {
      const distance = plainDistance(a, b);
      for (const most of [0, 1, 3, 40]) {
        const expected = Math.min(distance, most + 1);
        expect([a, b, most, editDistance(a, b, most)], "see packages/tools/src/names/spelling.ts").toEqual([a, b, most, expected]);
      }
    }
  }
});

import { textColumns } from "@fleetwire/core/internal";
import { expect, it } from "vitest";

it("columns align text to the left and numbers to the right, without spaces at the end", () => {
  const rows = [
    ["tool", 7, "note"],
    ["locate_vehicle", 1234, ""],
  ];
  expect(textColumns(rows)).toBe("tool               7  note\nlocate_vehicle  1234");
  expect(textColumns([])).toBe("");
});

import { fileURLToPath } from "node:url";
import { loadFixtures, loadInterface } from "@fleetwire/contract-tests";
import { beforeAll, describe, expect, it } from "vitest";
import { staleFiles } from "../../../../scripts/generated-files.ts";
import { fieldsFile } from "../../scripts/generate-tool-fields.ts";
import { replayTools, type ToolReplay } from "./tool-check.ts";

const fixtures = loadFixtures();
let replay: ToolReplay;

beforeAll(async () => {
  replay = await replayTools(fixtures, loadInterface());
}, 120_000);

describe("the recorded interactions, replayed through the tools", () => {
  it("are sent and returned as recorded", () => expect(replay.findings).toEqual([]));

  it("are all checked, or skipped for a reason", () => {
    expect(replay.checked).toBeGreaterThan(0);
    expect(replay.checked + replay.skips.length).toBe(fixtures.length);
    expect(replay.skips.filter(({ reason }) => reason === "")).toEqual([]);
  });

  it("have results with the fields in fields.json (else: npm run generate)", () => {
    expect(staleFiles(fieldsFile(replay), fileURLToPath(new URL("../../../../", import.meta.url)))).toEqual([]);
  });
});

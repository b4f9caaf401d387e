import { describe, expect, it } from "vitest";
import { createSandbox, type SandboxOptions } from "../src/index.ts";

describe("a sandbox is not created with", () => {
  it.each<[object, string]>([
    [{ vehicles: 0 }, "vehicles must be a whole number, at least 1"],
    [{ customers: 1.5 }, "customers must be a whole number, at least 1"],
    [{ seed: "1" }, "seed must be a whole number, at least 0"],
    [{ tokenTtl: 0 }, "tokenTtl must be a whole number, at least 1"],
    [{ start: Number.NaN }, "start must be a number of milliseconds"],
    [{ rhythm: "weekly" }, "rhythm must be one of nonstop, week, alike"],
    [{ groupLists: "append" }, "groupLists must be one of replace, add"],
    [{ duplicateJobs: "reject" }, "duplicateJobs must be one of refuse, overwrite, conflict"],
  ])("%j", (options, problem) => {
    expect(() => createSandbox(options as SandboxOptions)).toThrow(new RangeError(problem));
  });
});

import { it } from "vitest";
import { compareFigures, compareInfringements } from "./random-drivers.ts";

it("has the figures of the second implementation for 100,000 random drivers", () => compareFigures(10_001, 100_000));

it("finds the infringements of the second implementation for 10,000 random drivers", () => compareInfringements(1001, 10_000));

import { it } from "vitest";
import { type Operation, operations } from "../src/index.ts";
import { compareChecks, tryMutatedResponses } from "./random-responses.ts";

it.each(Object.values<Operation>(operations))("the fast check and zod agree on 10,000 responses of $name", ({ output }) =>
  compareChecks(output, 10_000),
);

it("any response leads to a result or a FleetError: 300,000 mutations", () => tryMutatedResponses(300_000));

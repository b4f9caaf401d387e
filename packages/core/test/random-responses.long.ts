import { it } from "vitest";
import { type Operation, operations } from "../src/index.ts";
import { compareChecks, tryMutatedResponses } from "./random-responses.ts";

it.each(Object.values<Operation>(operations))("the fast check and zod agree on 2,000 responses of $name", ({ output }) =>
  compareChecks(output, 2_000),
);

it("any response leads to a result or a FleetError: 60,000 mutations", () => tryMutatedResponses(60_000));

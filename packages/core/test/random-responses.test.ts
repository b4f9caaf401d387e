import { it } from "vitest";
import { type Operation, operations } from "../src/index.ts";
import { compareChecks, tryMutatedResponses } from "./random-responses.ts";

it.each(Object.values<Operation>(operations))("the fast check and zod agree on responses of $name", ({ output }) =>
  compareChecks(output, 100),
);

it("any response leads to a result or a FleetError: 400 mutations", () => tryMutatedResponses(400));

import { it } from "vitest";
import { tryMutatedResponses } from "./mutated-responses.ts";

it("any response leads to a result or a FleetError: 500,000 mutations", () => tryMutatedResponses(500_000));

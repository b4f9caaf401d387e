import { it } from "vitest";
import { tryMutatedResponses } from "./mutated-responses.ts";

it("any response leads to a result or a FleetError: 1,500 mutations", { timeout: 300_000 }, () => tryMutatedResponses(1_500));

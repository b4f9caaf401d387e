import { it } from "vitest";
import { tryMutatedResponses } from "./mutated-responses.ts";

it("any answer ends a call in a result or a FleetError: 500,000 mutations", () => tryMutatedResponses(500_000));

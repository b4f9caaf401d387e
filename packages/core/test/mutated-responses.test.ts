import { it } from "vitest";
import { tryMutatedResponses } from "./mutated-responses.ts";

it("any response leads to a result or a FleetError: 400 mutations", () => tryMutatedResponses(400));

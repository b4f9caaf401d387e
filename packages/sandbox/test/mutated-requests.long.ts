import { it } from "vitest";
import { tryMutatedRequests } from "./mutated-requests.ts";

it("200,000 of them get no status of 500 or more, no stack trace, and errors of the documented shape", () => tryMutatedRequests(200_000));

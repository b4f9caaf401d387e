import { it } from "vitest";
import { tryMutatedRequests } from "./mutated-requests.ts";

it("200,000 mutated requests give no status of 500 or more, no stack trace, and errors of the documented shape", () =>
  tryMutatedRequests(200_000));

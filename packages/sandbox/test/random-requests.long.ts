import { it } from "vitest";
import { tryRandomRequests } from "./random-requests.ts";

it("100,000 random requests get no status of 500 or more", () => tryRandomRequests(100_000));

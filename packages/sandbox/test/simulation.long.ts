import { it } from "vitest";
import { tryRandomPolls } from "./physics.ts";

it("the fleet obeys physics over 2,000 random seeds and instants", () => tryRandomPolls(2_000));

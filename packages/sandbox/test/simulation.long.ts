import { it } from "vitest";
import { tryRandomPolls } from "./laws.ts";

it.each(["nonstop", "week"] as const)("the fleet obeys physics over 700 random seeds and instants: %s", (rhythm) =>
  tryRandomPolls(700, { rhythm }),
);

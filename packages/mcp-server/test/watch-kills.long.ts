import { it } from "vitest";
import { killedWatch } from "./watch-under-test.ts";

it.each([1, 2, 3])("loses and doubles nothing when it is killed 200 times, run %i", () => killedWatch(200));

import { debianProgram } from "@fleetwire/packaging/debian-program";
import { it } from "vitest";
import { type Blow, watches } from "./killed-watches.ts";

const BLOWS: readonly Blow[] = ["killed", "stopped", "redis"];
const redisServer = await debianProgram("redis-server");

it.skipIf(redisServer === undefined).each([1, 2, 3])(
  "three watches lose and double nothing, whatever is killed in which order, run %i",
  async () => {
    const { survive, stop } = await watches(redisServer as string);
    await survive(Array.from({ length: 20 }, () => BLOWS[Math.floor(Math.random() * BLOWS.length)] as Blow));
    await stop();
  },
  1_200_000,
);

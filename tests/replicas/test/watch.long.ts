import { SERVER, startProgram } from "@fleetwire/packaging/started-program";
import { expect, it } from "vitest";
import { type Blow, watches } from "./killed-watches.ts";
import { redisPath } from "./setup.ts";

const KEY = "fleetwire:watch:default";
const SOON = { timeout: 20_000, interval: 50 };
const BLOWS: readonly Blow[] = ["killed", "stopped", "redis"];

it.skipIf(redisPath === undefined)(
  "three watches lose and double nothing while one is killed, another stopped and Redis killed, and share their state with nobody else",
  async () => {
    const { survive, admin, said, stop, args, env } = await watches();
    await survive(["killed", "stopped", "redis"]);

    const redis = await admin();
    const kept = await redis.hGetAll(KEY);
    expect(Object.keys(kept)).toEqual(expect.arrayContaining(["about", "read", expect.stringMatching(/^track /)]));
    expect(JSON.stringify(kept)).not.toMatch(/Van 1|P1\d\d\d/);

    await redis.flushAll();
    await expect.poll(said, SOON).toContain("Redis has lost what it kept: the watch begins anew");
    const read = () => redis.hGet(KEY, "read");
    await expect.poll(read, SOON).toBeTypeOf("string");
    await stop();

    const isRefused = async (pattern: RegExp, changes: Readonly<Record<string, string>>) => {
      const refused = await startProgram(process.execPath, { args: [SERVER, "watch", ...args], env: { ...env, ...changes }, pattern });
      await refused.end();
    };
    await isRefused(/this name belongs to the watch of another customer/, { FLEET_CUSTOMER_ID: "another" });
    // A value that is moved is not accepted either.
    await redis.hSet(KEY, "event x", (await read()) as string);
    await isRefused(/was written with another FLEET_SEAL_KEY, or is damaged/, {});
    await redis.set(KEY, "another kind of value");
    await isRefused(/is not the state of a watch\. Use another name/, {});
  },
);

it.skipIf(redisPath === undefined)("three watches lose and double nothing, whatever is killed in which order", async () => {
  const { survive, stop } = await watches();
  await survive(Array.from({ length: 8 }, () => BLOWS[Math.floor(Math.random() * BLOWS.length)] as Blow));
  await stop();
});

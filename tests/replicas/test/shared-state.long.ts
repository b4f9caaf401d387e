import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { admin, replicaPair, SOON } from "./replica-pair.ts";
import { redisPath } from "./setup.ts";

it.skipIf(redisPath === undefined).each([0, 3])(
  "replicas do not send a write that they received %i ms before they were stopped, and another has sent since",
  async (ms) => {
    const { callers, jobs, replicas } = await replicaPair({ FLEET_CONFIRM: "never" });
    const [one, other] = await callers("2025-11-25");
    const job = { address: "Quai Perrache 10, 69002 Lyon, France", jobTitle: "received", vehicleName: "truck 12" };
    const late = one.call("create_job", job);
    await pause(ms);
    replicas[0]?.signal("SIGSTOP");
    expect(await other.call("create_job", job)).toMatchObject({ isError: false });
    // Longer than the hold on a write, which is what another replica waits for.
    await pause(6_200);
    replicas[0]?.signal("SIGCONT");
    // A slow machine may not have received all of it before.
    const { text } = await late.catch((error: Error) => ({ text: error.message }));
    expect((await jobs()).get("received")?.length, text).toBe(1);
    expect(text).toMatch(
      /^unknownOutcome: .*this call sent nothing, but another server may have sent it|The request did not arrive in time/,
    );
    // A second later, what is received is new.
    await pause(1_100);
    expect(await one.call("create_job", { ...job, jobTitle: "new" })).toMatchObject({ isError: false });
  },
);

it.skipIf(redisPath === undefined)(
  "replicas report a call as unknown if its entry in Redis makes no sense, at once, and name the store",
  async () => {
    const { callers, jobs, redis: server } = await replicaPair({ FLEET_CONFIRM: "never" });
    const [one, other] = await callers("2025-11-25");
    const redis = await admin(server.url);
    const job = { address: "Quai Perrache 10, 69002 Lyon, France", jobTitle: "senseless" };
    const watched: string[] = [];
    const watching = redis.duplicate();
    await watching.connect();
    onTestFinished(() => watching.destroy());
    await watching.monitor((line) => void watched.push(String(line)));
    await one.call("create_job", job);
    const keys = new Set(watched.flatMap((line) => /"SET" "(fleetwire:write:[\w-]+)"/.exec(line)?.[1] ?? []));
    expect(keys.size).toBe(2);
    for (const key of keys) {
      await expect.poll(() => redis.exists(key), SOON).toBe(0);
      await redis.lPush(key, "1");
      const startedAt = performance.now();
      const { isError, text } = await other.call("create_job", job);
      expect(performance.now() - startedAt).toBeLessThan(3_000);
      expect([isError, text]).toEqual([true, expect.stringMatching(/^unknownOutcome: the store .*cannot be verified.*list_jobs/s)]);
      await expect.poll(() => redis.exists(key), SOON).toBe(0);
    }
    expect((await jobs()).get("senseless")?.length).toBe(1);
    expect(await other.call("create_job", job)).toMatchObject({ isError: false });
  },
);

import { debianProgram } from "@fleetwire/packaging/debian-program";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Caller } from "./callers.ts";
import { replicaPair, SOON } from "./replica-pair.ts";

const redisServer = await debianProgram("redis-server");
const pair = (settings?: Record<string, string>) => replicaPair(redisServer as string, settings);

describe.skipIf(redisServer === undefined)("replicas that share a Redis", () => {
  it("share an access token, the rate of a caller, and nothing that a reader of Redis could use", async () => {
    const { callers, urls, token, env, admin } = await pair({ FLEET_CALLER_RATE: "12" });
    const [one] = await callers("2026-07-28");
    await one?.call("list_jobs", { limit: 1 });
    const redis = await admin();
    const entries = await Promise.all((await redis.keys("*")).map(async (key) => [key, await redis.get(key)]));
    expect(entries.map(([key]) => key?.split(":").slice(0, 2).join(":"))).toEqual(
      expect.arrayContaining(["fleetwire:rate", "fleetwire:token"]),
    );
    const text = JSON.stringify(entries);
    for (const secret of [token, env["FLEET_CLIENT_ID"], env["FLEET_CLIENT_SECRET"], env["FLEET_CUSTOMER_ID"], "caller-0", "accessToken"])
      expect(text).not.toContain(secret);

    const status = async (url = "") =>
      (await fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` }, body: "" })).status;
    const statuses: number[] = [];
    for (let at = 0; at < 20; at++) statuses.push(await status(urls[at % 2]));
    // The first requests of the caller count as well.
    expect(statuses.filter((code) => code !== 429).length).toBeLessThan(12);
    expect(statuses.at(-1)).toBe(429);
  });

  it("accept a confirmation once, refuse writes while Redis is full, a replica, slow or gone, and serve reads", async () => {
    const { callers, ready, admin, redis, jobs, logged, urls } = await pair();
    const [one, other] = (await callers("2025-11-25")) as [Caller, Caller];
    const confirmed = async (jobTitle: string) => {
      const job = { address: "Quai Perrache 10, 69002 Lyon, France", jobTitle };
      return { ...job, confirmation: (await one.call("create_job", job)).record["confirmation"] };
    };
    const usual = await confirmed("usual");
    expect((await other.call("create_job", usual)).isError).toBe(false);
    for (const caller of [one, other])
      expect(await caller.call("create_job", usual)).toMatchObject({ isError: true, text: expect.stringContaining("was already used") });

    const client = await admin();
    const redisUp = async () => Number(/^fleetwire_redis_up (\d)$/m.exec(await (await fetch(new URL("/metrics", urls[0]))).text())?.[1]);
    const outages: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      ["full", () => client.configSet({ maxmemory: "1", "maxmemory-policy": "noeviction" }), () => client.configSet({ maxmemory: "0" })],
      ["a replica", () => client.sendCommand(["REPLICAOF", "127.0.0.1", "1"]), () => client.sendCommand(["REPLICAOF", "NO", "ONE"])],
      ["slow", async () => redis.signal("SIGSTOP"), async () => redis.signal("SIGCONT")],
      ["gone", () => redis.end("SIGKILL"), redis.restart],
    ];
    for (const [state, fail, recover] of outages) {
      const write = await confirmed(state);
      await fail();
      const refused = await one.call("create_job", write);
      expect(refused, state).toMatchObject({ isError: true, text: expect.stringMatching(/^network: .*nothing was sent/) });
      expect(await one.call("locate_vehicle", { query: "truck 12" }), state).toMatchObject({ isError: false });
      await expect.poll(() => ready(), SOON).toMatchObject({ ready: true, writes: false });
      expect(await redisUp(), state).toBe(0);
      await recover();
      await expect.poll(async () => (await one.call("create_job", write)).isError, { ...SOON, message: state }).toBe(false);
      await expect.poll(() => ready(), SOON).toMatchObject({ ready: true, writes: true });
    }
    const created = await jobs();
    expect(["usual", ...outages.map(([state]) => state)].map((title) => created.get(title)?.length)).toEqual([1, 1, 1, 1, 1]);
    expect(logged.join("\n")).not.toContain("redis://");
  });

  it("do not send a write that another has finished while they were stopped, and say what is not known", async () => {
    const { callers, jobs, service, replicas, admin } = await pair({ FLEET_CONFIRM: "never" });
    const [one, other] = (await callers("2025-11-25")) as [Caller, Caller];
    const redis = await admin();
    const held = async () => (await redis.keys("fleetwire:write:*")).length;
    const job = { address: "Quai Perrache 10, 69002 Lyon, France", jobTitle: "stopped", vehicleName: "truck 12" };
    service.signal("SIGSTOP");
    const late = one.call("create_job", job);
    // It waits for the fleet's vehicles now.
    await expect.poll(held, { ...SOON, interval: 10 }).toBe(1);
    replicas[0]?.signal("SIGSTOP");
    service.signal("SIGCONT");
    await expect.poll(held, SOON).toBe(0);
    expect(await other.call("create_job", job)).toMatchObject({ isError: false });
    replicas[0]?.signal("SIGCONT");
    const { text } = await late;
    expect((await jobs()).get("stopped")?.length, text).toBe(1);
    expect(text).toMatch(/^unknownOutcome: .*this call sent nothing, but another server may have sent it/);
  });

  it("report a call as unknown if its entry in Redis makes no sense, at once, and name the store", async () => {
    const { callers, admin, jobs } = await pair({ FLEET_CONFIRM: "never" });
    const [one, other] = (await callers("2025-11-25")) as [Caller, Caller];
    const redis = await admin();
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
  });
});

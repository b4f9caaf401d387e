import { describe, expect, it } from "vitest";
import { admin, replicaPair, SOON } from "./replica-pair.ts";
import { redisPath } from "./setup.ts";

describe.skipIf(redisPath === undefined)("replicas that share a Redis", () => {
  it("share an access token, the rate of a caller, and nothing that a reader of Redis could use", async () => {
    const { callers, urls, token, env, redis: server } = await replicaPair({ FLEET_CALLER_RATE: "12" });
    const [one] = await callers("2026-07-28");
    await one.call("list_jobs", { limit: 1 });
    const redis = await admin(server.url);
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
    const { callers, ready, redis, jobs, logged, urls } = await replicaPair();
    const [one, other] = await callers("2025-11-25");
    const confirmed = async (jobTitle: string) => {
      const job = { address: "Quai Perrache 10, 69002 Lyon, France", jobTitle };
      return { ...job, confirmation: (await one.call("create_job", job)).record["confirmation"] };
    };
    const usual = await confirmed("usual");
    expect((await other.call("create_job", usual)).isError).toBe(false);
    // The replica that sent it has the outcome; the other one knows that it was sent.
    expect((await other.call("create_job", usual)).text).toContain("the same confirmation: nothing was sent this time");
    expect(await one.call("create_job", usual)).toMatchObject({ isError: true, text: expect.stringContaining("was already used") });

    const client = await admin(redis.url);
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
    const { callers, jobs, service, replicas, redis: server } = await replicaPair({ FLEET_CONFIRM: "never" });
    const [one, other] = await callers("2025-11-25");
    const redis = await admin(server.url);
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
});

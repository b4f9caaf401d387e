import { setTimeout as pause } from "node:timers/promises";
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { expect, it } from "vitest";
import type { Caller } from "./callers.ts";
import { replicaPair } from "./replica-pair.ts";

const redisServer = await debianProgram("redis-server");

it.skipIf(redisServer === undefined).each([0, 1, 3, 5])(
  "replicas do not send a write that they received %i ms before they were stopped, and another has sent since",
  async (ms) => {
    const { callers, jobs, replicas } = await replicaPair(redisServer as string, { FLEET_CONFIRM: "never" });
    const [one, other] = (await callers("2025-11-25")) as [Caller, Caller];
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

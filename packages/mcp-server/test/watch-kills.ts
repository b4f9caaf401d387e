import { once } from "node:events";
import { existsSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, vi } from "vitest";
import { start } from "./spawned-bin.ts";
import { dataOf, failingVehicle, listening, type Received, SECRET, watchArguments } from "./watch-under-test.ts";

/** Kills a watch so often, and checks that its receiver hears of each fault once. */
export async function killedWatch(kills: number): Promise<void> {
  const fleet = await failingVehicle();
  const received: Received[] = [];
  const failed = new Set<string>();
  const unsigned: unknown[] = [];
  const receiver = await listening((_, one) => {
    const { id } = dataOf(one);
    try {
      // A signature counts for five minutes.
      new Webhook(SECRET).verify(one.body, one.headers as Record<string, string>);
    } catch (error) {
      unsigned.push(error);
    }
    // Some deliveries succeed only when they are repeated.
    if (received.length % 5 === 4 && failed.size < received.length / 5 && !failed.has(id)) {
      failed.add(id);
      return { status: 503 };
    }
    received.push(one);
    return { status: 204 };
  });
  const watch = () =>
    start(
      watchArguments(fleet, "--first-retry", "0.2", "--webhook", receiver, "--webhook-private"),
      { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET },
      () => {},
    );
  let running = watch();
  onTestFinished(() => void running.child.kill("SIGKILL"));
  await vi.waitFor(() => expect(existsSync(fleet.state)).toBe(true), 20_000);
  fleet.fail(true);
  for (let kill = 0; kill < kills; kill++) {
    // Half of them are killed once they are watching, the others at any moment of their start, which takes half a second.
    if (kill % 2 === 0) await once(running.child.stderr, "data");
    await new Promise((resolve) => setTimeout(resolve, Math.random() * (kill % 2 === 0 ? 200 : 600)));
    running.child.kill("SIGKILL");
    await running.ended;
    running = watch();
  }
  await fleet.read();
  fleet.fail(false);
  const delivered = () => new Map(received.map((one) => [dataOf(one).id, dataOf(one).cause.code]));
  await vi.waitFor(() => expect([...delivered().values()]).toContain(fleet.codes().at(-1)), 120_000);
  // Every fault since the first poll that was saved is told once; those before were there when the watch began.
  await vi.waitFor(() => {
    const told = [...delivered().values()].sort();
    expect(told).toEqual(fleet.codes().slice(-told.length));
    expect(told.length).toBeGreaterThan(kills / 10);
  }, 30_000);
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0 });
  expect(unsigned).toEqual([]);
}

import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { CONFIRMATION_ATTACKS, type Scene } from "./confirmation-attacks.ts";
import { direct } from "./direct.ts";
import { type Fleet, startFleet } from "./fleet.ts";

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet();
});

afterAll(() => fleet.stop());

it.each(CONFIRMATION_ATTACKS.map((row, at) => ({ ...row, at })))("$name: $jobs jobs", async ({ at, attack, jobs, says }) => {
  const address = `Confirmation Road ${at}, Lyon`;
  const scene: Scene = {
    fleet,
    job: { address, jobTitle: "Collect", clientName: "Nord", notes: "12" },
    server: async (env = {}, reply) => {
      const host = await direct({ env: { ...fleet.env, ...env }, ...(reply && { reply }) });
      onTestFinished(() => host.close());
      return host;
    },
  };
  const shown = await attack(scene);
  const created = await fleet.jobsWith("address", address);
  expect({ shown, jobs: created.length }).toEqual({
    shown: expect.stringMatching(says),
    jobs: jobs === "0 or 1" ? expect.toBeOneOf([0, 1]) : jobs,
  });
  for (const job of created) expect(job).toMatchObject(scene.job);
});

import { describe, expect, it } from "vitest";
import { QUESTIONS } from "../questions/index.ts";
import { readWorld, startSandbox, WORLDS, type World, type Write, writeRecords } from "../world.ts";

const worlds = new Map<string, Promise<World>>();

/** Reads each world once for all questions that share it. */
function worldOf(name: keyof typeof WORLDS, setup: readonly Write[]): Promise<World> {
  const key = JSON.stringify([name, setup]);
  const read = async () => {
    const sandbox = startSandbox(name);
    await writeRecords(sandbox.env, setup, sandbox.fetch);
    return readWorld(sandbox.env, Date.parse(WORLDS[name].now), sandbox.fetch);
  };
  const world = worlds.get(key) ?? read();
  worlds.set(key, world);
  return world;
}

describe("the questions", () => {
  it("are at least 120, in five languages, each with an id of its own", () => {
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(120);
    expect(new Set(QUESTIONS.map(({ id }) => id)).size).toBe(QUESTIONS.length);
    expect(new Set(QUESTIONS.map(({ language }) => language)).size).toBe(5);
  });

  it.each(QUESTIONS)("$id has a truth that an empty answer misses", async ({ world = "november", setup = [], truth }) => {
    const read = await worldOf(world, setup);
    const facts = truth(read);
    expect(facts.every((fact) => fact.holds({ text: "", after: read }))).toBe(false);
  });
});

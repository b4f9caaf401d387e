import { createSandbox } from "@fleetwire/sandbox";
import { expect, it } from "vitest";
import { sandboxConsole } from "../src/handler/sandbox-console.ts";

const NOW = Date.UTC(2026, 10, 20, 9);

it("a sandbox's console shows what happens to its fleet, without any settings", async () => {
  const sandbox = createSandbox({ clock: () => now, start: NOW, rhythm: "nonstop" });
  let now = NOW;
  const host = {
    env: () => sandbox.env,
    fetch: (request: Request) => sandbox.fetch(request),
    clock: () => now,
    groups: () => [],
    requests: () => [],
    faults: { known: {}, list: () => "", set: () => {} },
    folder: "",
  };
  const handle = sandboxConsole(host);
  const read = async () => {
    const response = await handle(new Request("http://localhost/console/api/events"));
    return (await response?.json()) as { since: number; rules: string[]; events: { text: string; when: string }[] };
  };
  expect(await read()).toMatchObject({ since: NOW, ruleCount: 8, events: [] });
  // It reads the fleet every two seconds at most.
  for (let minute = 1; minute <= 3; minute++) {
    now += 60_000;
    await new Promise((resolve) => setTimeout(resolve, 2_050));
    await read();
  }
  const { events } = await read();
  expect(events.map(({ when }) => when)).toContain("starts");
  expect(events.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^(?:Truck|Van|Car|eVan) \d+ .*started driving$/));
}, 20_000);

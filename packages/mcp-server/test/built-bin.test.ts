import { describe, expect, it } from "vitest";
import type { Ended } from "../../../tests/vitest/run-in-process.ts";
import { fleetService } from "../../tools/test/served-fleet.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";
import { start } from "./spawned-bin.ts";

/** What differs from one run to the next. */
const withoutTimes = ({ stdout, stderr, ...ended }: Ended): Ended => ({
  ...ended,
  stdout: stdout.replace(/\b\d+ ms\b/g, "0 ms"),
  stderr: stderr.replace(/"(time|ms)":("[^"]*"|\d+)/g, '"$1":0'),
});

describe("the built bin ends as the program does within the process of a test (run-program.ts)", () => {
  it.each<[string, string[], Record<string, string>, number]>([
    ["a result", ["call", "list_tire_events"], { FLEET_LOG: "info" }, 0],
    ["a place on the map of towns", ["call", "find_nearest_vehicles", '{"to": "Kassel"}'], {}, 0],
    ["a service that is examined", ["doctor"], {}, 1],
    ["help", ["--help"], {}, 0],
  ])("%s", async (_, args, env, code) => {
    const service = await fleetService({
      listTireEvents: () => ({ body: [{ number: 7 }] }),
      listJobs: () => ({ status: 503 }),
      listLivePositions: () => ({ body: [{ assetName: "Truck 1", latitude: 51, longitude: 9 }] }),
    });
    const environment = { ...environmentOf(service.origin), ...env };
    const { child, ended } = start(args, environment);
    child.stdin.end();
    const [bin, program] = [await ended, await run(args, environment)];
    expect(withoutTimes(bin)).toEqual({ ...withoutTimes(program), code });
  });
});

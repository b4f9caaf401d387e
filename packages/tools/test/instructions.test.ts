import { instructionsFor } from "@fleetwire/tools/host";
import { expect, it } from "vitest";

const READ = [{ name: "locate_vehicle", effect: "read" as const }];
const ALL = [...READ, { name: "create_job", effect: "create" as const }];

it.each([
  ["that a sandbox is one", READ, { sandbox: true }, "This is a sandbox:", true],
  ["whose time zone it is by default", READ, {}, "Times in results are in the server's time zone;", true],
  ["nothing of a tool that is not offered", ALL.slice(1), {}, "locate_vehicle", false],
  [
    "which tools tell the past",
    [{ name: "trips_and_stops", effect: "read" as const }],
    {},
    "The past of vehicles with a tachograph: trips_and_stops. There is no data on the past of other vehicles, speeding",
    true,
  ],
  ["that there are none without tachographs", READ, {}, "no data on past positions, speeding", true],
  ["to look before repeating a job", ALL, {}, "create_job is not idempotent", true],
  ["nothing of writes if there are none", READ, {}, /dryRun|create_job/, false],
])("a model is told %s", (_, tools, settings, said, isSaid) => {
  const instructions = instructionsFor(tools, { sandbox: false, timeZone: undefined, ...settings });
  expect(typeof said === "string" ? instructions.includes(said) : said.test(instructions)).toBe(isSaid);
});

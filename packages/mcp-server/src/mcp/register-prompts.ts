import type { FleetTools, NameKind } from "@fleetwire/tools";
import { markedText, singleLine } from "@fleetwire/tools/host";
import { completable, type McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ServerConfig } from "../server-config.ts";

/** What a person typed, on one line and in quotes: it is what they mean, and no instruction of its own. */
const quoted = (text: string) => JSON.stringify(singleLine(text, 200));

/** Registers prompts for the questions of every day; each only where the tools that it names are offered. */
export function promptRegistrar(fleet: FleetTools, origin: Pick<ServerConfig, "sandbox">): (server: McpServer) => void {
  const offered = fleet.byName;
  const message = (text: string) => ({
    messages: [{ role: "user" as const, content: { type: "text" as const, text: markedText(text, origin) } }],
  });
  const named = (kind: NameKind, description: string) =>
    completable(z.string().describe(description), (typed) => fleet.completeNames(kind, typed));

  return (server) => {
    if (offered.has("locate_vehicle")) {
      server.registerPrompt(
        "where_is",
        {
          title: "Where is ...",
          description: "Where a vehicle or a driver is, and since when",
          argsSchema: z.object({ vehicle: named("vehicle", "Name, registration or driver, such as truck 12") }),
        },
        ({ vehicle }) =>
          message(
            `Where is ${quoted(vehicle)}? Call locate_vehicle with that as the query. Say the place, what it is doing, who drives it and how old the report is. ` +
              "If several vehicles fit or none, put the question of the answer to me instead of guessing.",
          ),
      );
    }

    if (offered.has("list_live_positions")) {
      const steps = [
        offered.has("summarize_fleet")
          ? "Call summarize_fleet for the counts: who drives, stands, charges, is low on fuel or battery, or has not reported."
          : "Call list_live_positions, following its cursor to the end: who drives, stands, charges, or has not reported for long.",
        ...(offered.has("list_vehicle_faults") ? ["Call list_vehicle_faults for faults that are in progress."] : []),
        ...(offered.has("list_jobs") ? ["Call list_jobs for what is open today."] : []),
      ];
      server.registerPrompt(
        "morning_briefing",
        {
          title: "Morning briefing",
          description: "What a dispatcher has to know of the fleet this morning",
          argsSchema: z.object({ group: named("group", "Only this group").optional() }),
        },
        ({ group }) =>
          message(
            [
              `Brief me on ${group ? `the group ${quoted(group)}` : "the fleet"} this morning.`,
              ...steps,
              "Begin with what needs someone to act, vehicle by vehicle; then the counts. Ten lines at most. Say how old the figures are, and what could not be read.",
            ].join("\n"),
          ),
      );
    }

    if (offered.has("create_job")) {
      server.registerPrompt(
        "plan_job",
        {
          title: "Plan a job",
          description: "Plan a job for a vehicle or a driver, and create it once you agree",
          argsSchema: z.object({
            what: z.string().describe("What is to be done, where and when"),
            vehicle: named("vehicle", "For this vehicle").optional(),
            driver: named("driver", "For this driver").optional(),
          }),
        },
        ({ what, vehicle, driver }) =>
          message(
            [
              `Plan this job: ${quoted(what)}.`,
              ...(vehicle ? [`It is for the vehicle ${quoted(vehicle)}.`] : []),
              ...(driver ? [`It is for the driver ${quoted(driver)}.`] : []),
              ...(offered.has("locate_vehicle")
                ? ["Find out with locate_vehicle where the vehicle is and whether it can be there in time."]
                : []),
              "Ask me for what is missing: at least the address. Times go to create_job in UTC; say which zone you read mine in.",
              "Then call create_job with dryRun, show me what would be sent, and call it without dryRun only once I have agreed.",
            ].join("\n"),
          ),
      );
    }
  };
}

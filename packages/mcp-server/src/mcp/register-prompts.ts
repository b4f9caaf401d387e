import type { NameKind } from "@fleetwire/tools";
import { markedText, singleLine } from "@fleetwire/tools/host";
import { completable, type McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ServerConfig } from "../server-config.ts";
import type { ServedTools } from "./served-tools.ts";

/** Puts user input on one line and in quotes, so that it does not read as an instruction. */
const quoted = (text: string) => JSON.stringify(singleLine(text, 200));

/** Registers prompts for everyday questions. A prompt is omitted if the tool it depends on is not offered. */
export function promptRegistrar(fleet: ServedTools, origin: Pick<ServerConfig, "sandbox">): (server: McpServer) => void {
  const offered = fleet.byName;
  const message = (text: string) => ({
    messages: [{ role: "user" as const, content: { type: "text" as const, text: markedText(text, origin) } }],
  });
  const named = (kind: NameKind, description: string) =>
    completable(z.string().describe(description), (typed) => fleet.completeNames(kind, typed));

  // Created once, since HTTP creates a server for each request.
  const whereIs = z.object({ vehicle: named("vehicle", "Name, registration or driver, such as truck 12") });
  const briefing = z.object({ group: named("group", "Only this group").optional() });
  const plan = z.object({
    what: z.string().describe("What to do, where and when"),
    vehicle: named("vehicle", "For this vehicle").optional(),
    driver: named("driver", "For this driver").optional(),
  });

  return (server) => {
    if (offered.has("locate_vehicle")) {
      server.registerPrompt(
        "where_is",
        { title: "Where is ...", description: "Where a vehicle or a driver is, and since when", argsSchema: whereIs },
        ({ vehicle }) =>
          message(
            `Where is ${quoted(vehicle)}? Call locate_vehicle with that as the query. Tell me where it is, what it is doing, who is driving it and how old the report is. ` +
              "If no vehicle matches, or several do, ask me the question in the result instead of guessing.",
          ),
      );
    }

    if (offered.has("list_live_positions")) {
      const steps = [
        offered.has("summarize_fleet")
          ? "Call summarize_fleet for the counts: how many are driving, stopped, charging, low on fuel or battery, or not reporting."
          : "Call list_live_positions, following its cursor to the end, and count the vehicles that are driving, stopped, charging, or have not reported for a long time.",
        ...(offered.has("list_vehicle_faults") ? ["Call list_vehicle_faults for faults still in progress."] : []),
        ...(offered.has("list_jobs") ? ["Call list_jobs for today's open jobs."] : []),
      ];
      server.registerPrompt(
        "morning_briefing",
        { title: "Morning briefing", description: "What a dispatcher needs to know about the fleet this morning", argsSchema: briefing },
        ({ group }) =>
          message(
            [
              `Brief me on ${group ? `the group ${quoted(group)}` : "the fleet"} this morning.`,
              ...steps,
              "Start with what needs action, vehicle by vehicle, then give the counts. Write ten lines at most. Say how old the data is and what could not be read.",
            ].join("\n"),
          ),
      );
    }

    if (offered.has("create_job")) {
      server.registerPrompt(
        "plan_job",
        { title: "Plan a job", description: "Plan a job for a vehicle or a driver, and create it once you agree", argsSchema: plan },
        ({ what, vehicle, driver }) =>
          message(
            [
              `Plan this job: ${quoted(what)}.`,
              ...(vehicle ? [`It is for the vehicle ${quoted(vehicle)}.`] : []),
              ...(driver ? [`It is for the driver ${quoted(driver)}.`] : []),
              ...(offered.has("locate_vehicle")
                ? ["Use locate_vehicle to find out where the vehicle is and whether it can be there in time."]
                : []),
              "Ask me for whatever is missing; the address is required. Send times to create_job in UTC, and say which time zone you assumed for mine.",
              "Then call create_job with dryRun, show me what would be sent, and call it without dryRun only after I agree.",
            ].join("\n"),
          ),
      );
    }
  };
}

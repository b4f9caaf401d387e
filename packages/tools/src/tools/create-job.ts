import { FleetError, Job, operations } from "@fleetwire/core";
import { parseInput } from "@fleetwire/core/internal";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import { recordResult, writeOutputSchema } from "../query/record-result.ts";
import { fieldTypes } from "../query/tool-input.ts";
import { quotation } from "../text/quotation.ts";
import { timesOf } from "../text/time.ts";
import { writeTool } from "../writes/operation-write.ts";
import { jobExplanation } from "./job-explanation.ts";
import { checkedJobNames } from "./job-names.ts";
import { oddPlace } from "./odd-place.ts";

const INFERRED =
  "Inferred: an earlier attempt may have succeeded, because the service then rejected its new job number as taken. Only the number is known; look it up to see the job.";

/** Hosts send empty strings for missing values; the service might look for a vehicle with an empty name. */
const withoutEmpty = (args: object) => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== ""));

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

export const createJob = writeTool(operations.createJob, {
  outputSchema: writeOutputSchema("job", fieldTypes(Job)),
  plan: async (args: Record<string, unknown>, context) => {
    // Without a time, the service would read the date as day first, while a model would mean month first.
    if (typeof args["scheduledStartDateTime"] === "string" && !args["scheduledStartDateTime"].includes("T")) {
      throw new FleetError("input", "scheduledStartDateTime: must include a time", {
        advice: "Pass date and time in UTC, such as 2026-11-20T08:30Z",
      });
    }
    const given = parseInput(operations.createJob, withoutEmpty(args));
    const { args: spelt, unchecked, fleet } = await checkedJobNames(given, context);
    // Names replaced by the fleet's spelling have not been validated yet.
    const input = isSame(spelt, given) ? given : parseInput(operations.createJob, spelt);
    const preview = async () => {
      // Ids need no check, so the fleet is read only if someone will see the names.
      const { vehicleId, personId } = input as { vehicleId?: string; personId?: string };
      const hasId = vehicleId !== undefined || personId !== undefined;
      const current = fleet ?? (hasId ? await ifReadable(() => readFleet(context)) : undefined);
      const isGone = current && vehicleId !== undefined && !current.positions.some(({ assetId }) => assetId === vehicleId);
      const shown = (isGone ? await ifReadable(() => readFleet(context, { withSold: true })) : undefined) ?? current;
      return [
        ...Object.entries(input).map(([field, value]) => ({ field, value })),
        ...jobExplanation(input, shown, timesOf(context)),
        ...unchecked,
      ];
    };
    return { input, preview, unchecked };
  },
  send: async (input, context, unchecked = []) => {
    const { fleet, settings, privacy, callOptions } = context;
    const { job = {}, errors = [], inferred } = await fleet.createJob(input, callOptions);
    const remarks = errors.map(({ field, message }) => `${field ?? "job"}: ${message ?? "no message"}`).join("; ");
    // The number comes first, because it identifies the job.
    const record = privacy.withSent(operations.createJob, { jobNumber: job.jobNumber, ...job }, input);
    const notes = [
      ...(inferred ? [INFERRED] : []),
      ...(input.lat === undefined ? await oddPlace(input.address, job, context.towns) : []),
      ...unchecked,
      ...(remarks === "" ? [] : [`The service remarked: ${quotation(privacy.text(remarks, input), 200)}`]),
    ];
    return {
      outcome: inferred ? "inferred" : "created",
      jobNumber: job.jobNumber ?? input.jobNumber,
      result: (remarks = []) =>
        recordResult("Job created.", "job", record, { times: timesOf(context) }, settings.maxResultTokens, [...remarks, ...notes]),
    };
  },
});

import { FleetError, Job, operations } from "@fleetwire/core";
import { hideDriverNames } from "../privacy.ts";
import { plainText } from "../results/cell.ts";
import { recordOutputSchema, recordResult } from "../results/record-result.ts";
import { operationTool } from "./operation-tool.ts";
import { fieldTypes } from "./tool-input.ts";

export const createJob = operationTool(operations.createJob, {
  outputSchema: recordOutputSchema("job", fieldTypes(Job)),
  run: async (input, context) => {
    const { fleet, settings, callOptions } = context;
    // The service reads a bare date with the day before the month; a model that leaves the time out means the month first.
    if (typeof input.scheduledStartDateTime === "string" && !input.scheduledStartDateTime.includes("T")) {
      throw new FleetError("input", "scheduledStartDateTime: must have a time", {
        advice: "Give date and time in UTC, such as 2026-11-20T08:30Z",
      });
    }
    const { job = {}, errors = [] } = await fleet.createJob(input, callOptions);
    const remarks = plainText(errors.map(({ field, message }) => `${field ?? "job"}: ${message ?? "no message"}`).join("; "), 200);
    // The number first: it is what the job is found by.
    const record = { jobNumber: job.jobNumber, ...job };
    const headline = `Job created.${remarks === "" ? "" : ` The service remarked: ${remarks}.`}`;
    return recordResult(headline, "job", hideDriverNames(record, context), settings.maxResultTokens);
  },
});

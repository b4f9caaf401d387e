import * as z from "zod";
import { defineOperation } from "../define-operation.ts";
import type { Operation } from "../operation.ts";
import { text } from "../schemas/field-metadata.ts";
import { Count, UtcSeconds } from "../schemas/scalars.ts";
import { TachoActivityPage, TachoSort } from "../schemas/tacho-activity.ts";
import type { QueryTachoActivityInput } from "./inputs.generated.ts";

const MINUTE_MS = 60_000;

export const queryTachoActivity: Operation<QueryTachoActivityInput, TachoActivityPage> = defineOperation({
  name: "queryTachoActivity",
  summary: "Query the tachograph activities of drivers in a period",
  source: "interface 4.5",
  method: "POST",
  path: "/bvfm/services/public/v1/customer/{customerId}/tacho/activity",
  servers: ["tacho"],
  auth: ["bearer"],
  contentType: "application/json",
  body: {
    startTime: UtcSeconds.describe("From this UTC time"),
    endTime: UtcSeconds.describe("Until this UTC time"),
    driverKeys: z
      .array(text("id").min(15, "must be a full driver key: 14 characters plus the issue number"))
      .optional()
      .describe("Only these full driver keys: 14 characters plus the issue number"),
    registrations: z
      .array(text("registration").min(1, "must not be empty"))
      .optional()
      .describe("Only these registrations, exactly as stored by the service"),
    dataContent: z.enum(["live", "DDD"]).optional().meta({ deprecated: true, description: "Deprecated. Kind of data" }),
    skip: Count.min(0).optional().describe("Records to skip"),
    limit: Count.min(1).optional().describe("Maximum number of records; default and upper limit undocumented"),
    sort: TachoSort.optional().describe("ASC or DESC by field, such as driverKey or activities.startTime"),
  },
  rules: ({ startTime, endTime }, refuse) => {
    if (endTime < startTime) refuse("endTime", "must not be before startTime");
  },
  output: TachoActivityPage,
  effect: "read",
  paging: {
    kind: "offset",
    skip: "skip",
    limit: "limit",
    items: "data",
    totalItems: "count",
    split: { by: ["driverId", "driverKey"], list: "activities" },
  },
  probe: ({ now }) => ({ startTime: new Date(now.getTime() - MINUTE_MS), endTime: now, limit: 1 }),
  tool: {
    title: "Query tachograph activity",
    description: "Individual tachograph activities of drivers in a period.",
    toolset: "tacho",
    inputs: ["startTime", "endTime", "driverKeys", "registrations", "sort"],
    unlisted: ["driverKeys", "registrations", "sort"],
    period: ["startTime", "endTime"],
    rows: {
      path: "data.activities",
      noun: ["activity", "activities"],
      totalNoun: ["driver entry", "driver entries"],
      columns: [
        "driverId",
        "driverKey",
        "startTime",
        "endTime",
        "type",
        "activity",
        "inProgress",
        "vehicleFriendlyName",
        "assetRegistration",
      ],
      query: {
        example: "activity=DRIVING",
        order: "startTime",
        ties: ["driverId", "driverKey"],
        active: ["startTime", "endTime", "inProgress"],
      },
    },
  },
});

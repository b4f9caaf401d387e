import * as z from "zod";
import { defineOperation } from "../define-operation.ts";
import type { Operation } from "../operation.ts";
import { FreeQuery } from "../schemas/free-query.ts";
import type { ListTireEventsInput } from "./inputs.generated.ts";

export const listTireEvents: Operation<ListTireEventsInput, unknown> = defineOperation({
  name: "listTireEvents",
  summary: "List tire events; only the path is documented",
  source: "interface 4.6",
  method: "GET",
  path: "/public/v1/customer/{customerId}/tire/events",
  servers: ["base"],
  auth: ["bearer"],
  query: { query: FreeQuery.optional() },
  output: z.unknown(),
  undocumented: true,
  effect: "read",
  probe: () => ({}),
  tool: {
    title: "List tire events",
    description: "Tire events. Fields are undocumented; results name them.",
    toolset: "tires",
    unlisted: ["query"],
    likely: { noun: ["event", "events"], example: "field=value", about: ["vehicle", "driver"] },
  },
});

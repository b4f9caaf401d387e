import { type OperationName, operations } from "@fleetwire/core";
import type { Handler } from "../service/handler.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { validInput } from "../service/request-input.ts";
import { createJob } from "./create-job.ts";
import { listLivePositions } from "./list-live-positions.ts";
import { listVehicleFaults } from "./list-vehicle-faults.ts";
import { queryTachoActivity } from "./query-tacho-activity.ts";
import { listJobs, listTireEvents } from "./undocumented-lists.ts";
import { updateGroup } from "./update-group.ts";

/** Exchanges Basic credentials for an access token (interface 5.2). */
const requestAccessToken: Handler = ({ customer, now, sent, tokens }) => {
  const { grant_type: grant } = validInput(operations.requestAccessToken, sent);
  if (grant === undefined) throw refuse(400, "invalid", "grant_type must be client_credentials", "grant_type");
  const accessToken = tokens.issue(customer.ordinal, now);
  const token = { success: true, accessToken, token_type: "bearer", expires_in: tokens.lifetime };
  return jsonResponse(token, 200, { "Cache-Control": "no-store" });
};

export const handlers: Readonly<Record<OperationName, Handler>> = {
  requestAccessToken,
  updateGroup,
  listVehicleFaults,
  listLivePositions,
  createJob,
  queryTachoActivity,
  listTireEvents,
  listJobs,
};

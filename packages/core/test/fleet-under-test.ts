import { createFleetClient, type DriftReport, type FleetClientOptions, FleetError } from "../src/index.ts";
import { type Answer, type RecordingServer, recordingServer } from "./recording-server.ts";

export const tokenAnswer = (accessToken: string, more: object = {}): Answer => ({
  body: { success: true, accessToken, token_type: "bearer", expires_in: 3600, ...more },
});

interface Script extends Partial<FleetClientOptions> {
  api?: Answer[];
  auth?: Answer[];
}

/**
 * A client in front of two recording servers: `auth`, the token service, and `api`, which stands for all the others. It sends each request once unless a
 * test asks for retries, which then come without a pause.
 */
export async function fleetUnderTest({ api: apiScript = [{ body: [] }], auth: authScript = [tokenAnswer("T1")], ...options }: Script = {}) {
  const api = await recordingServer(...apiScript);
  const auth = await recordingServer(...authScript);
  const drift: DriftReport[] = [];
  const fleet = createFleetClient({
    customerId: "c42",
    credentials: { clientId: "id", clientSecret: "secret" },
    servers: { base: api.origin, apiHost: api.origin, job: api.origin, tacho: api.origin, auth: auth.origin },
    onDrift: (report) => drift.push(report),
    retries: 0,
    random: () => 0,
    ...options,
  });
  return { fleet, api, auth, drift };
}

/** The FleetError that a call ends with; any other end fails the test. */
export async function failure(call: Promise<unknown>): Promise<FleetError> {
  const error = await call.then(
    () => new Error("the call did not fail"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof FleetError)) throw error;
  return error;
}

/** The only request that a server has seen. */
export function onlyRequest({ requests }: RecordingServer) {
  const [request, ...more] = requests;
  if (!request || more.length > 0) throw new Error(`${requests.length} requests came in place of one`);
  return request;
}

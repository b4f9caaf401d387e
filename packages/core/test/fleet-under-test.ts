import { inspect } from "node:util";
import { expect, onTestFinished } from "vitest";
import { canaryIn } from "../../../tests/vitest/canary.ts";
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
 * A client with two recording servers: `auth` for the token service, `api` for all others. It sends each request once unless a
 * test enables retries, which then have no delay.
 */
export async function fleetUnderTest({
  api: apiScript = [{ body: [] }],
  auth: authScript = [tokenAnswer("canary-T1")],
  ...options
}: Script = {}) {
  const api = await recordingServer(...apiScript);
  const auth = await recordingServer(...authScript);
  const drift: DriftReport[] = [];
  const told: unknown[] = [];
  const { onRequest, onResponse, onRetry } = options;
  const heard =
    <Event>(listener: ((event: Event) => void) | undefined) =>
    (event: Event) => {
      told.push(event);
      return listener?.(event);
    };
  const fleet = createFleetClient({
    customerId: "c42",
    credentials: { clientId: "id", clientSecret: "canary-secret" },
    servers: { base: api.origin, apiHost: api.origin, job: api.origin, tacho: api.origin, auth: auth.origin },
    onDrift: (report) => drift.push(report),
    retries: 0,
    random: () => 0,
    ...options,
    onRequest: heard(onRequest),
    onResponse: heard(onResponse),
    onRetry: heard(onRetry),
  });
  // In every test, neither hooks nor the client may reveal a secret.
  onTestFinished(() => expect(canaryIn(shown([fleet, told, drift]))).toBeUndefined());
  return { fleet, api, auth, drift };
}

/** A value as a debugger would show it. */
const shown = (value: unknown) =>
  inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true, maxStringLength: null });

/** The FleetError that a call fails with; anything else fails the test. */
export async function failure(call: Promise<unknown>): Promise<FleetError> {
  const error = await call.then(
    () => new Error("the call did not fail"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof FleetError)) throw error;
  expect(canaryIn(shown(error) + JSON.stringify(error))).toBeUndefined();
  return error;
}

/** The only request that a server received. */
export function onlyRequest({ requests }: RecordingServer) {
  const [request, ...more] = requests;
  if (!request || more.length > 0) throw new Error(`${requests.length} requests came in place of one`);
  return request;
}

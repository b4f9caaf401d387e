import { FleetError } from "../errors.ts";
import type { AuthScheme, Operation } from "../operation.ts";
import type { TokenSource } from "./access-token.ts";
import { buildRequest, type RequestSettings } from "./build-request.ts";
import { type DecodeSettings, decodeResponse } from "./decode-response.ts";
import type { CallOptions, ResultWithMetadata } from "./method.ts";
import { parseInput } from "./parse-input.ts";
import { type Deadline, type Failure, failureToError, type HttpResponse, type Send } from "./transport.ts";

/** What a client brings to each of its calls. */
export interface CallContext {
  send: Send;
  timeout: number;
  basic: string;
  tokens: TokenSource;
  request: Omit<RequestSettings, "server">;
  decode: DecodeSettings;
  serverOf(operation: Operation): string;
  schemeOf(operation: Operation): AuthScheme;
  now(): number;
  numberJobs: boolean;
}

async function credentialHeader(scheme: AuthScheme, context: CallContext, deadline: Deadline) {
  if (scheme === "basic") return { header: { authorization: `Basic ${context.basic}` } };
  const { token, cached } = await context.tokens.get(deadline);
  const header: Record<string, string> =
    scheme === "bearer" ? { authorization: `Bearer ${token}` } : { "x-connect-token": `TOKEN ${token}` };
  return { header, ...(cached && { cachedToken: token }) };
}

/** A failure as the caller of this operation must see it: of a creation that may have happened it is only known that nothing is known. */
function judgeFailure(operation: Operation, error: FleetError, sent: boolean, number: string | undefined): FleetError {
  const lost = error.code === "timeout" || error.code === "network" || error.code === "upstream" || error.code === "aborted";
  const unreadable = error.code === "contract" && error.status !== undefined && error.status >= 200 && error.status < 300;
  if (operation.effect !== "create") return error;
  const { status, errors, advice, operation: name } = error;
  if (!sent || !(lost || unreadable))
    return new FleetError(error.code, error.message, { operation: name, status, errors, advice, jobNumber: number });
  return new FleetError("unknownOutcome", `${error.message}; whether it was done is not known`, {
    operation: operation.name,
    status,
    errors,
    jobNumber: number,
    advice:
      number === undefined
        ? "Look whether it is there before trying again"
        : `Look whether ${number} is there before trying again, and use the same number`,
  });
}

function isFailure(answer: HttpResponse | Failure): answer is Failure {
  return "kind" in answer;
}

/** The whole call: parse, number, build, authorise, send, decode. */
export async function callOperation(
  operation: Operation,
  rawInput: unknown,
  options: CallOptions,
  context: CallContext,
): Promise<ResultWithMetadata<unknown>> {
  const startedAt = performance.now();
  const input = parseInput(operation, rawInput);
  const { numbering } = operation;
  if (numbering && context.numberJobs) input[numbering.field] ??= numbering.newNumber(new Date(context.now()));
  const number = numbering && (input[numbering.field] as string | undefined);
  const request = buildRequest(operation, input, { ...context.request, server: context.serverOf(operation) });
  const scheme = context.schemeOf(operation);
  const deadline = { timeout: options.timeout ?? context.timeout, signal: options.signal };
  if (!(deadline.timeout > 0)) {
    throw new FleetError("input", `${operation.name}: timeout must be a positive number of milliseconds`, { operation: operation.name });
  }
  let attempts = 0;
  let sent = false;
  let renewed = false;
  try {
    for (;;) {
      const { header, cachedToken } = await credentialHeader(scheme, context, deadline);
      attempts += 1;
      const answer = await context.send({ ...request, headers: { ...request.headers, ...header } }, deadline);
      sent = !isFailure(answer) || answer.sent;
      if (isFailure(answer)) throw failureToError(answer, operation.name);
      if (answer.status === 401 && cachedToken !== undefined && !renewed) {
        // The token ended before its time: one more try with another one. The refusal leaves no doubt that nothing was done.
        context.tokens.discard(cachedToken);
        renewed = true;
        sent = false;
        continue;
      }
      const data = decodeResponse(operation, answer, context.decode);
      const metadata = {
        operation: operation.name,
        status: answer.status,
        attempts,
        duration: performance.now() - startedAt,
        requestBytes: new TextEncoder().encode(request.body).byteLength,
        responseBytes: answer.bytes,
        ...(number !== undefined && { jobNumber: number }),
      };
      return { data, metadata };
    }
  } catch (error) {
    if (error instanceof FleetError) throw judgeFailure(operation, error, sent, number);
    throw error;
  }
}

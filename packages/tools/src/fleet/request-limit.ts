import { type FleetClient, FleetError, type Operation, operations } from "@fleetwire/core";

/** The most requests that a call may read with: more than a question about a month of a thousand drivers needs. */
const MAX_REQUESTS = 1_000;

type Call = (...args: never[]) => unknown;
type Records = (...args: never[]) => AsyncIterable<unknown>;
type Method = Call & { withMetadata?: Call; pages?: Records; iterate?: Records };

/** The clients that limited ones read with. */
const unlimited = new WeakMap<FleetClient, FleetClient>();

/** Returns a client that may read as much as at first, for what outlives a call. A client without a limit keeps having none. */
export function renewed(fleet: FleetClient): FleetClient {
  const whole = unlimited.get(fleet);
  return whole ? limitedClient(whole) : fleet;
}

/** Returns a client for one call, which stops reading at a number of requests. Writes are not limited, since their outcome has to be known. */
export function limitedClient(fleet: FleetClient): FleetClient {
  const counts = new Map<string, number>();
  let requests = 0;
  const count = ({ name, effect }: Pick<Operation, "name" | "effect">) => {
    if (effect !== "read") return;
    if (requests === MAX_REQUESTS) {
      const read = [...counts].map(([operation, times]) => `${times} of ${operation}`).join(", ");
      throw new FleetError(
        "input",
        `the call reached the limit of ${MAX_REQUESTS} requests: read were ${read}; the rest of ${name} was not`,
        {
          advice: "Ask for a shorter period, or for fewer drivers or vehicles at a time",
        },
      );
    }
    requests++;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const calling =
    (operation: Operation, call: Call): Call =>
    async (...args) => {
      count(operation);
      return call(...args);
    };
  const reading = (operation: Operation, records: Records, isPaged: boolean): Records =>
    async function* (...args) {
      count(operation);
      let isFirst = true;
      for await (const page of records(...args)) {
        if (isPaged && !isFirst) count(operation);
        isFirst = false;
        yield page;
      }
    };
  const counted = (operation: Operation) => {
    const method = fleet[operation.name as keyof FleetClient] as unknown as Method;
    const { pages, iterate, withMetadata } = method;
    return Object.assign(calling(operation, method), {
      ...(withMetadata && { withMetadata: calling(operation, withMetadata) }),
      ...(pages && { pages: reading(operation, pages, true) }),
      ...(iterate && { iterate: reading(operation, iterate, false) }),
    });
  };
  const { request } = fleet;
  const requesting =
    (call: Call): Call =>
    async (...args) => {
      count(args[0] as unknown as Operation);
      return call(...args);
    };
  const limited = Object.freeze({
    ...Object.fromEntries(Object.values<Operation>(operations).map((operation) => [operation.name, counted(operation)])),
    request: Object.assign(requesting(request as Call), { withMetadata: requesting(request.withMetadata as Call) }),
  }) as unknown as FleetClient;
  unlimited.set(limited, fleet);
  return limited;
}

import { type CallOptions, type FleetClient, type Operation, operations, type ResultWithMetadata } from "@fleetwire/core";
import { definitionOf, isRecord, unwrapSchema } from "@fleetwire/core/internal";
import type * as z from "zod";
import { TimeSlices } from "../runtime/time-slices.ts";
import { compilePlan, type Plan } from "./masking-plan.ts";
import type { Mask, Privacy } from "./privacy.ts";
import { PLACES_WITHHELD, type PrivateJourneys } from "./private-journeys.ts";

/** The client that tools use. Watching would compare records before they are masked. */
export type ToolClient = FleetClient;

type Records = (input: unknown, options?: CallOptions) => AsyncGenerator<unknown, void, void>;

interface Method {
  (input: unknown, options?: CallOptions): Promise<unknown>;
  withMetadata: (input: unknown, options?: CallOptions) => Promise<ResultWithMetadata<unknown>>;
  iterate?: Records;
  pages?: Records;
}

/** Returns the schema of one record of a list: of an element of the output or, if it is paginated, of the list of items in it. */
function recordSchema({ output, paging }: Operation): z.core.$ZodType {
  const names = paging ? paging.items.split(".") : [];
  const list = names.reduce<z.core.$ZodType>((schema, name) => definitionOf(unwrapSchema(schema)).shape?.[name] as z.core.$ZodType, output);
  return definitionOf(unwrapSchema(list)).element as z.core.$ZodType;
}

/** Removes from a request what would order or select records by a withheld field. */
function withoutWithheld(plan: Plan, input: unknown): unknown {
  if (plan.kind !== "record" || !isRecord(input)) return input;
  const kept = Object.entries(input).filter(([field]) => !Object.hasOwn(plan.withheld, field));
  const inner = kept.map(([field, value]) => [field, withoutWithheld(plan.fields.get(field) ?? plan.others, value)] as const);
  const isSame = inner.length === Object.keys(input).length && inner.every(([field, value]) => value === input[field]);
  return isSame ? input : Object.fromEntries(inner);
}

/** How to mask a client's results. */
interface Masking {
  privacy: Privacy;
  /** Reads the drivers' names, so that they are recognized in any field. */
  learnNames: (options: CallOptions) => Promise<void>;
  /** Reads whose journeys are private. */
  readJourneys: (options: CallOptions) => Promise<PrivateJourneys>;
}

/** Remembers the names in the records of a response once all have arrived, because a name may occur before the record that identifies it as a name. */
async function learned(mask: Mask, records: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const record of records) {
    mask.learn(record);
    all.push(record);
  }
  return all;
}

function maskedMethod(operation: Operation, method: Method, { privacy, learnNames, readJourneys }: Masking): Method {
  const mask = privacy.maskOf(operation.output);
  if (mask.isNoop) return method;
  const requestPlan = mask.hidesSome
    ? compilePlan(operation.input, { withholds: true, hidesPast: false, hidesNames: false }).plan
    : undefined;
  /** Reads what masking needs, and removes from the request what would reveal withheld places. Journeys are read last, as an invalid request needs none. */
  const prepared = async (input: unknown, options: CallOptions) => {
    if (mask.needsNames && operation.effect === "read") await learnNames(options);
    let read: PrivateJourneys | undefined;
    const journeys = async () => {
      read ??= mask.needsJourneys ? await readJourneys(options) : undefined;
      return read;
    };
    const safe = requestPlan ? withoutWithheld(requestPlan, input) : input;
    const request = safe === input || (await journeys())?.isNone ? input : safe;
    const apply = async (data: unknown) => {
      const masked = mask.apply(data, await journeys());
      // Marked, so that a result can say that the order was not requested.
      return request !== input && isRecord(masked) ? { ...masked, [PLACES_WITHHELD]: privacy.reasonWith(read) } : masked;
    };
    return { request, journeys, apply };
  };
  const call = async (input: unknown, options: CallOptions = {}) => {
    const { request, apply } = await prepared(input, options);
    return apply(await method(request, options));
  };
  const withMetadata = async (input: unknown, options: CallOptions = {}) => {
    const { request, apply } = await prepared(input, options);
    const { data, metadata } = await method.withMetadata(request, options);
    return { data: await apply(data), metadata };
  };
  const each = (mask: Mask, read: Records, learnsFirst: boolean): Records =>
    async function* (input, options = {}) {
      const { request, journeys } = await prepared(input, options);
      const records = read(request, options);
      const slices = new TimeSlices();
      for await (const record of learnsFirst ? await learned(mask, records) : records) {
        yield mask.apply(record, await journeys());
        if (slices.isOver) await slices.next();
      }
    };
  const { iterate, pages } = method;
  const learnsFirst = privacy.hidesNames && operation.paging === undefined;
  return Object.assign(call, {
    withMetadata,
    ...(iterate && { iterate: each(privacy.maskOf(recordSchema(operation)), iterate, learnsFirst) }),
    ...(pages && { pages: each(mask, pages, false) }),
  });
}

/**
 * Wraps a client so that all results are masked and free of impossible numbers, including those of `request`, pages and streamed records. Tools use only this client, so
 * they never see unmasked records.
 */
export function maskedClient(fleet: ToolClient, masking: Masking): ToolClient {
  const methods = Object.values<Operation>(operations).map((operation) => {
    const method = fleet[operation.name as keyof ToolClient] as unknown as Method;
    return [operation.name, maskedMethod(operation, method, masking)];
  });
  const requestMethod = (operation: Operation): Method => {
    const method = Object.assign((input: unknown, options?: CallOptions) => fleet.request(operation, input, options), {
      withMetadata: (input: unknown, options?: CallOptions) => fleet.request.withMetadata(operation, input, options),
    });
    // Anything that is not an operation is left for the client to reject.
    return operation?.output ? maskedMethod(operation, method, masking) : method;
  };
  const request = Object.assign(
    async (operation: Operation, input: unknown, options?: CallOptions) => requestMethod(operation)(input, options),
    {
      withMetadata: async (operation: Operation, input: unknown, options?: CallOptions) =>
        requestMethod(operation).withMetadata(input, options),
    },
  );
  return Object.freeze({ ...Object.fromEntries(methods), request }) as unknown as ToolClient;
}

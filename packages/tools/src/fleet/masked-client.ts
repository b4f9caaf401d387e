import { type CallOptions, type FleetClient, type Operation, operations, type ResultWithMetadata } from "@fleetwire/core";
import { definitionOf, isRecord, unwrapSchema } from "@fleetwire/core/internal";
import type * as z from "zod";
import { TimeSlices } from "../runtime/time-slices.ts";
import type { Mask, Privacy } from "./privacy.ts";
import { PLACES_WITHHELD, type PrivateJourneys } from "./private-journeys.ts";

/** The client that tools use. Watching would compare records before they are masked. */
export type ToolClient = Omit<FleetClient, "watchPositions">;

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

/** How to mask a client's results. */
interface Masking {
  privacy: Privacy;
  /** Reads the drivers' names, so that they are recognized in any field. */
  learnNames: (options: CallOptions) => Promise<void>;
  /** Reads whose journeys are private. */
  readJourneys: (options: CallOptions) => Promise<PrivateJourneys>;
}

/** Whether a request has lost its order; marked in the response, so that a result can say so. */
const withMark = (data: unknown, isReordered: boolean, journeys: PrivateJourneys | undefined) =>
  isReordered && isRecord(data) ? { ...data, [PLACES_WITHHELD]: journeys?.reason } : data;

function maskedMethod(operation: Operation, method: Method, { privacy, learnNames, readJourneys }: Masking): Method {
  const mask = privacy.maskOf(operation.output);
  if (mask.isNoop) return method;
  /** Reads what masking needs, and removes from the request what would reveal withheld places. Journeys are read last, as an invalid request needs none. */
  const prepared = async (input: unknown, options: CallOptions) => {
    if (mask.needsNames && operation.effect === "read") await learnNames(options);
    let known: PrivateJourneys | undefined;
    const journeys = async () => {
      known ??= mask.needsJourneys ? await readJourneys(options) : undefined;
      return known;
    };
    const safe = mask.needsJourneys ? privacy.withoutWithheld(operation, input) : input;
    const request = safe === input || (await journeys())?.isNone ? input : safe;
    const apply = async (data: unknown) => withMark(mask.apply(data, await journeys()), request !== input, known);
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
  const each = (mask: Mask, read: Records): Records =>
    async function* (input, options = {}) {
      const { request, journeys } = await prepared(input, options);
      for await (const record of read(request, options)) yield mask.apply(record, await journeys());
    };
  /** Masks the records of a single response once all have arrived, because a name may occur before the record that identifies it as a name. */
  const wholeList = (mask: Mask, read: Records): Records =>
    async function* (input, options = {}) {
      const { request, journeys } = await prepared(input, options);
      const records: unknown[] = [];
      for await (const record of read(request, options)) {
        mask.learn(record);
        records.push(record);
      }
      const known = await journeys();
      const slices = new TimeSlices();
      for (const record of records) {
        yield mask.apply(record, known);
        if (slices.isOver) await slices.next();
      }
    };
  const { iterate, pages } = method;
  const streamed = privacy.hidesNames && operation.paging === undefined ? wholeList : each;
  return Object.assign(call, {
    withMetadata,
    ...(iterate && { iterate: streamed(privacy.maskOf(recordSchema(operation)), iterate) }),
    ...(pages && { pages: each(mask, pages) }),
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

import { type CallOptions, type FleetClient, type Operation, operations, type ResultWithMetadata } from "@fleetwire/core";
import { definitionOf, unwrapSchema } from "@fleetwire/core/internal";
import type * as z from "zod";
import type { FleetToolsSettings } from "../model/settings.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { cachedClient } from "./cached-client.ts";
import type { FleetContext } from "./fleet-context.ts";
import { FleetReader } from "./fleet-reader.ts";
import { type Mask, Privacy } from "./privacy.ts";
import { PrivateJourneys, readPrivatePlaces } from "./private-journeys.ts";
import { Pseudonyms } from "./pseudonyms.ts";

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
  /** Reads what masking needs; returns a function that masks data. Journeys are read last, as an invalid request needs none. */
  const prepared = async (options: CallOptions) => {
    if (mask.needsNames && operation.effect === "read") await learnNames(options);
    let read: PrivateJourneys | undefined;
    return async <Data>(data: Data, of = mask): Promise<Data> => {
      read ??= mask.needsJourneys ? await readJourneys(options) : undefined;
      return of.apply(data, read);
    };
  };
  const call = async (input: unknown, options: CallOptions = {}) => {
    const masked = await prepared(options);
    return masked(await method(input, options));
  };
  const withMetadata = async (input: unknown, options: CallOptions = {}) => {
    const masked = await prepared(options);
    const { data, metadata } = await method.withMetadata(input, options);
    return { data: await masked(data), metadata };
  };
  const each = (of: Mask, read: Records, learnsFirst: boolean): Records =>
    async function* (input, options = {}) {
      const masked = await prepared(options);
      const records = read(input, options);
      const slices = new TimeSlices();
      for await (const record of learnsFirst ? await learned(of, records) : records) {
        yield await masked(record, of);
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
function maskedClient(fleet: FleetClient, masking: Masking): FleetClient {
  const methods = Object.values<Operation>(operations).map((operation) => {
    const method = fleet[operation.name as keyof FleetClient] as unknown as Method;
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
  return Object.freeze({ ...Object.fromEntries(methods), request }) as unknown as FleetClient;
}

/** Adds masking and a read cache to the client. Results are masked before they are cached, so each is masked only once. */
export function createToolFleet(
  client: FleetClient,
  settings: FleetToolsSettings,
  now: () => number,
): Pick<FleetContext, "fleet" | "reader" | "privacy"> {
  const privacy = new Privacy(settings, new Pseudonyms(settings.sealKey), now);
  const readIfPossible = (options: CallOptions) => reader.read(options).catch(() => undefined);
  const masked = maskedClient(client, {
    privacy,
    // If the names cannot be read, fields documented to hold a driver's name are still masked.
    learnNames: async (options) => void (await readIfPossible(options)),
    readJourneys: async (options) => {
      const { view, failure } = (await readIfPossible(options)) ?? {};
      // Activities may be newer than positions from before the service failed.
      if (failure || !view) return new PrivateJourneys(undefined, []);
      // The journey is read for all callers: it belongs to no one call.
      const { signal: _, trace: __, ...shared } = options;
      return view.once(
        PrivateJourneys,
        async () =>
          new PrivateJourneys(
            view.positions,
            settings.past === "respect" ? await readPrivatePlaces(client, view.positions, now(), shared) : [],
          ),
      );
    },
  });
  const reader = new FleetReader(masked, settings, now);
  return { fleet: cachedClient(masked, settings, now, () => reader.invalidate()), reader, privacy };
}

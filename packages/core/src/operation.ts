import * as z from "zod";
import { FleetError, type FleetErrorCode } from "./errors.ts";
import type { ApiError } from "./schemas/api-error.ts";

/** The servers of the interface, named as its placeholders are: {base_url}, {fleet_url}, {api_host}, {job_url}, {tacho_url}, {auth_url}. */
export const serverNames = ["base", "fleet", "apiHost", "job", "tacho", "auth"] as const;
/** Name of a server, as `servers` has it. */
export type ServerName = (typeof serverNames)[number];

/** How a call proves who it is (interface 5): HTTP Basic, a bearer token, or `x-connect-token: TOKEN ...`. */
export const authSchemes = ["basic", "bearer", "connect-token"] as const;
/** Name of a way to prove who calls. */
export type AuthScheme = (typeof authSchemes)[number];

/** What a call does there. `update` may be repeated safely, `create` may not. Retries and safety hints follow from this alone. */
export type Effect = "read" | "update" | "create";

/** A documented error answer. */
export interface DocumentedError {
  /** Whether the body is a list of errors or a single one. */
  body: "list" | "one";
  /** The documented conditions, in our words. */
  when: readonly string[];
  /** What a caller should do next, in our words. */
  advice: string;
}

/** How the rest of a long answer is asked for. Paths into the output are written with full stops. */
export type Paging = { items: string; totalItems: string; split?: SplitRecords } & (
  | { kind: "page"; index: string; size: string; totalPages: string }
  | { kind: "offset"; skip: string; limit: string }
);

/** Records of which one may go on at the head of the next page: what tells that it is the same, and the list to put together. */
export interface SplitRecords {
  /** Fields that are equal in both parts. */
  by: readonly string[];
  /** The field whose lists are put together. */
  list: string;
}

/** How the operation is offered to a model. */
export interface ToolMetadata {
  /** Written for people: a few words. */
  title: string;
  /** Written for a model: what it answers, and when to use it. */
  description: string;
  /** The input fields offered to a model, where that is not all of them. */
  inputs?: readonly string[];
}

/** A request field whose value marks a creation, so that a repetition can be told from a second one. The service keeps its values unique. */
export interface Numbering {
  /** The input field that holds the number. */
  field: string;
  /** Where the answer gives it back, a path with full stops. */
  answer: string;
  /** Makes a number that no other creation has. */
  newNumber: (now: Date) => string;
  /** Name of the operation whose result shows what was created, for looking a number up. */
  listedBy?: string;
}

/** The answer to a creation that is numbered. */
export type Creation<Output> = Output & {
  /**
   * True where an answer was lost and the service then refused the number that the client had made, as one that exists: so it was created, and of its
   * fields the number alone is known. It rests on the service keeping numbers unique. Absent otherwise.
   */
  inferred?: true;
};

/** A refusal that comes with a 2xx status. */
export interface Refusal {
  /** What the call fails with. */
  code: FleetErrorCode;
  /** What it amounts to, in our words. */
  message: string;
  /** What the service said, in the form of its errors. */
  errors?: ApiError[];
}

type Shape = z.core.$ZodLooseShape;
// biome-ignore lint/complexity/noBannedTypes: the empty shape is what an operation without such fields has
type NoFields = {};

/** What {@link defineOperation} makes an operation of. */
export interface OperationSpec<Query extends Shape, Body extends Shape, Output, Params extends Shape = NoFields> {
  /** One stem everywhere: `listLivePositions` is `list_live_positions` as a tool. */
  name: string;
  /** What it does, in one line for people. */
  summary: string;
  /** Where the interface describes it, such as "interface 4.3". */
  source: string;
  /** HTTP verb. */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the server; `{customerId}` is filled in from the configuration, any other placeholder from `params`. */
  path: string;
  /** The first of these servers that is configured is called. */
  servers: readonly [ServerName, ...ServerName[]];
  /** The schemes it is described with, the default first. */
  auth: readonly [AuthScheme, ...AuthScheme[]];
  /** Media type of the request body. */
  contentType?: string;
  /** Schemas of the placeholders in the path. */
  params?: Params;
  /** Schemas of the fields sent in the query. */
  query?: Query;
  /** Schemas of the fields sent in the body. */
  body?: Body;
  /** Rules over several fields; `refuse` names the field and the rule. */
  rules?: (input: z.output<z.ZodObject<Params & Query & Body>>, refuse: (field: string, message: string) => void) => void;
  /** Fields of the answer that are secrets: later errors of the client do not repeat them where the service does. */
  secretOutput?: readonly string[];
  /** Schema of the answer's body; `z.void()` where there is none, or none that matters. */
  output: z.ZodType<Output>;
  /** True where only the path is documented: input and output are then passed through as they are. */
  undocumented?: true;
  /** The documented error answers, by HTTP status. */
  errors?: Readonly<Record<number, DocumentedError>>;
  /** What a call does there. */
  effect: Effect;
  /** How the rest of a long answer is asked for; absent where all comes at once. */
  paging?: Paging;
  /** What marks a creation, so that it can be repeated safely. */
  numbering?: Numbering;
  /** Tells a refusal that hides behind a 2xx status. */
  refusal?: (output: Output) => Refusal | undefined;
  /** Absent where no model may ever call it. */
  tool?: ToolMetadata;
  /** A request and its answer, for readers of the OpenAPI document. */
  example?: { input: Record<string, unknown>; output: unknown };
}

/** An operation: all that the client, the MCP tools, the sandbox's routes and the OpenAPI document need to know of it. */
export interface Operation<Input = unknown, Output = unknown>
  // biome-ignore lint/suspicious/noExplicitAny: rules and refusal are contravariant; only defineOperation's caller sees them typed
  extends Omit<OperationSpec<any, any, Output, any>, "params" | "query" | "body" | "rules" | "refusal"> {
  /** Schemas of the placeholders in the path; absent where there are none but the customer's. */
  params?: Readonly<Record<string, z.ZodType>>;
  /** Schemas of the fields sent in the query. */
  query: Readonly<Record<string, z.ZodType>>;
  /** Schemas of the fields sent in the body; absent where there is none. */
  body?: Readonly<Record<string, z.ZodType>>;
  /** The flat input: query and body fields in one object. Parsing gives what goes on the wire. */
  input: z.ZodType<unknown, Input>;
  /** Tells a refusal that hides behind a 2xx status. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  refusal?: (output: any) => Refusal | undefined;
}

/** What a caller passes to an operation. */
export type InputOf<Op> = Op extends Operation<infer Input> ? Input : never;

/** What an operation gives back. */
export type OutputOf<Op> = Op extends Operation<infer _, infer Output> ? Output : never;

/** Makes every object in an input schema refuse unknown fields, at any depth: one that is stripped in silence is lost. */
function refusingUnknown<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  const { def } = schema._zod as { def: z.core.$ZodTypeDef & { shape?: Shape; element?: z.ZodType; innerType?: z.ZodType } };
  const { shape, element, innerType } = def;
  if (shape) {
    const fields = Object.entries(shape).map(([name, field]) => [name, refusingUnknown(field)]);
    return z.clone(schema, { ...def, shape: Object.fromEntries(fields), catchall: z.never() } as never, { parent: true });
  }
  if (element) return z.clone(schema, { ...def, element: refusingUnknown(element) } as never, { parent: true });
  if (innerType) return z.clone(schema, { ...def, innerType: refusingUnknown(innerType) } as never, { parent: true });
  return schema;
}

/**
 * Completes an operation with its flat input schema. Unknown input fields are refused, so that a misspelt one is not lost. The client's own operations are
 * made with it, and so is one of yours, for an endpoint that the contract does not have; `fleet.request` then calls it with the same guarantees. What may
 * be sent again when something fails follows from `effect`: `read` and `update` are, `create` only with a `numbering`. A text that does not say what it holds
 * (`z.string().register(fieldFacts, { holds: "id" })`) counts as free text that may hold anything: errors do not repeat it, and recordings hide it.
 *
 * @example
 * const listTrips = defineOperation({
 *   name: "listTrips",
 *   summary: "List the trips of a vehicle",
 *   source: "our own notes",
 *   method: "GET",
 *   path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips",
 *   servers: ["base"],
 *   auth: ["basic"],
 *   params: { vehicleId: Identifier },
 *   query: { limit: z.int().optional() },
 *   output: z.array(z.object({ distance: z.number().optional() })),
 *   effect: "read",
 * });
 * const trips = await fleet.request(listTrips, { vehicleId: "v1001", limit: 10 });
 */
export function defineOperation<Output, Query extends Shape = NoFields, Body extends Shape = NoFields, Params extends Shape = NoFields>(
  spec: OperationSpec<Query, Body, Output, Params>,
): Operation<z.input<z.ZodObject<Params & Query & Body>>, Output> {
  const { rules, params, query, body, ...rest } = spec;
  const fields = refusingUnknown(z.object({ ...params, ...query, ...body } as Params & Query & Body));
  const placeholders = Object.keys(params ?? {});
  const unfilled = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).filter((name) => name !== "customerId");
  if (unfilled.toSorted().join() !== placeholders.toSorted().join()) {
    throw new FleetError("config", `defineOperation: params of ${spec.name} must be just the placeholders of its path`, {
      operation: spec.name,
      advice: "Give a schema for each placeholder but {customerId}",
    });
  }
  const input =
    rules || params
      ? fields.superRefine((value, context) => {
          const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
          const given = value as Record<string, unknown>;
          // Such a segment would lead to another path.
          for (const name of placeholders) if (/^\.{0,2}$/.test(String(given[name] ?? ""))) refuse(name, "must not be empty, . or ..");
          rules?.(value as never, refuse);
        })
      : fields;
  return {
    ...rest,
    ...(params && { params: params as unknown as Record<string, z.ZodType> }),
    query: (query ?? {}) as Record<string, z.ZodType>,
    ...(body && { body: body as unknown as Record<string, z.ZodType> }),
    input: input as z.ZodType<unknown, z.input<z.ZodObject<Params & Query & Body>>>,
  };
}

import type * as z from "zod";
import type { FleetErrorCode } from "./errors.ts";
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

/** What people name: the vehicles, drivers and groups of the live positions. */
export type NamedEntity = "vehicle" | "driver" | "group";

/** The rows that a model is shown of a response. */
export interface ToolRows {
  /** The lists to flatten, from the outermost, such as `items.faults`: a row is an entry of the last one, with the fields of those around it. Empty: the response is the list. */
  path: string;
  /** What one row is, and what several are. */
  noun: readonly [one: string, many: string];
  /** What the total that the service states counts, where that is not rows. */
  totalNoun?: readonly [one: string, many: string];
  /** The fields shown where a model asks for no others. */
  columns: readonly string[];
}

/** How the operation is offered to a model. */
export interface ToolMetadata<Field extends string = string> {
  /** Written for people: a few words. */
  title: string;
  /** Written for a model: what it answers, and when to use it. */
  description: string;
  /** The set of tools that it belongs to, such as `positions`; FLEET_TOOLSETS chooses among them. */
  toolset: string;
  /** The input fields taken from a model, where that is not all of them. */
  inputs?: readonly Field[];
  /** Those of them that are taken and not listed: what they do is not worth a model's tokens. */
  unlisted?: readonly Field[];
  /** What a model is told of an input field where its description says more than it needs: each word is paid for on every turn. Of a period, the first field's. */
  hints?: Readonly<{ [Name in Field]?: string }>;
  /** The input fields that hold an id of what people name: a model gives the name in their place. */
  names?: Readonly<{ [Name in Field]?: NamedEntity }>;
  /** The two input fields, from and until, in place of which a model gives a period in words. */
  period?: readonly [from: Field, until: Field];
  /** The rows of the response; absent where its shape is not documented, or where it is one record. */
  rows?: ToolRows;
}

/** What is known of a deployment when it is tried: the time, and ids that its live positions hold. */
export interface ProbeContext {
  /** The time at which it is tried. */
  now: Date;
  /** Of a vehicle that the live positions show. */
  vehicleId?: string;
  /** Of a driver that the live positions show. */
  driverId?: string;
  /** Of a vehicle's group that the live positions show. */
  groupId?: string;
}

/** A request field whose value marks a creation, so that a repetition can be told from a second one. The service keeps its values unique. */
export interface IdempotencyKey {
  /** The input field that holds the number. */
  field: string;
  /** Where the answer gives it back, a path with full stops. */
  outputPath: string;
  /** Makes a number that no other creation has. */
  generate: (now: Date) => string;
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

/** Fields and their schemas. */
export type Shape = z.core.$ZodLooseShape;
// biome-ignore lint/complexity/noBannedTypes: the empty shape is what an operation without such fields has
export type NoFields = {};

/** What `defineOperation` makes an operation of. */
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
  idempotencyKey?: IdempotencyKey;
  /** Tells a refusal that hides behind a 2xx status. */
  refusal?: (output: Output) => Refusal | undefined;
  /**
   * Of an operation that reads: the input of its cheapest call, by which a deployment is tried. Undefined where nothing is known that it could ask about.
   * It asks for a vehicle, driver or group by an id of the context, never by one that it makes up.
   */
  probe?: (context: ProbeContext) => z.input<z.ZodObject<Params & Query & Body>> | undefined;
  /** Absent where no model may ever call it. */
  tool?: ToolMetadata<NoInfer<keyof (Params & Query & Body) & string>>;
}

/** An operation: all that the client, the tools, the sandbox's routes and the OpenAPI document need to know of it. */
export interface Operation<Input = unknown, Output = unknown>
  // biome-ignore lint/suspicious/noExplicitAny: rules and refusal are contravariant; only defineOperation's caller sees them typed
  extends Omit<OperationSpec<any, any, Output, any>, "params" | "query" | "body" | "rules" | "refusal" | "probe" | "tool"> {
  /** Schemas of the placeholders in the path; absent where there are none but the customer's. */
  params?: Readonly<Record<string, z.ZodType>>;
  /** Schemas of the fields sent in the query. */
  query: Readonly<Record<string, z.ZodType>>;
  /** Schemas of the fields sent in the body; absent where there is none. */
  body?: Readonly<Record<string, z.ZodType>>;
  /** The flat input: path, query and body fields in one object. Parsing returns what goes on the wire. */
  input: z.ZodType<unknown, Input>;
  /** The input of its cheapest call, by which a deployment is tried; undefined where nothing is known that it could ask about. */
  probe?: (context: ProbeContext) => Input | undefined;
  /** Absent where no model may ever call it. */
  tool?: ToolMetadata;
  /** Tells a refusal that hides behind a 2xx status. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  refusal?: (output: any) => Refusal | undefined;
}

/** What a caller passes to an operation. */
export type InputOf<Op> = Op extends Operation<infer Input> ? Input : never;

/** What an operation gives back. */
export type OutputOf<Op> = Op extends Operation<infer _, infer Output> ? Output : never;

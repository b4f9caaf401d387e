import type * as z from "zod";
import type { FleetErrorCode } from "./errors.ts";
import type { ApiError } from "./schemas/group.ts";

/** The servers of the interface, one per placeholder: {base_url}, {fleet_url}, {api_host}, {job_url}, {tacho_url}, {auth_url}. */
export const serverNames = ["base", "fleet", "apiHost", "job", "tacho", "auth"] as const;
/** Key of a server in `servers`. */
export type ServerName = (typeof serverNames)[number];

/** How a call authenticates (interface 5): HTTP Basic, a bearer token, or `x-connect-token: TOKEN ...`. */
export const authSchemes = ["basic", "bearer", "connect-token"] as const;
/** Name of an authentication scheme. */
export type AuthScheme = (typeof authSchemes)[number];

/** What a call does to the service's data. An `update` can be repeated safely, a `create` cannot. Retries and safety hints depend on nothing else. */
export type Effect = "read" | "update" | "create";

/** A documented error response. */
export interface DocumentedError {
  /** Whether the body is a list of errors or a single one. */
  body: "list" | "one";
  /** The documented conditions, in our words. */
  when: readonly string[];
  /** What the caller should do next, in our words. */
  advice: string;
}

/**
 * How to request the pages of a list. `items`, the totals and `pageSize`, which the service may choose itself, are dotted paths into the output, such as
 * `pagination.totalItems`.
 */
export type Paging = { items: string; totalItems: string; split?: SplitRecords } & (
  | { kind: "page"; index: string; size: string; totalPages: string; pageSize?: string }
  | { kind: "offset"; skip: string; limit: string }
);

/** How to merge a record that continues on the next page. */
export interface SplitRecords {
  /** Fields that have equal values in both parts. */
  by: readonly string[];
  /** The field whose lists are concatenated. */
  list: string;
}

/** An entity that users refer to by name: a vehicle, driver or group in the live positions. */
export type NamedEntity = "vehicle" | "driver" | "group";

/** How a response is turned into rows for a model. */
export interface ToolRows {
  /**
   * The lists to flatten, outermost first, such as `items.faults`: a row is an entry of the last list plus the fields of the entries that contain it.
   * Empty if the response itself is the list.
   */
  path: string;
  /** What a row is called, in the singular and the plural. */
  noun: readonly [one: string, many: string];
  /** What the service's total counts, if it does not count rows. */
  totalNoun?: readonly [one: string, many: string];
  /** The fields that are shown unless the model requests others. */
  columns: readonly string[];
  /** Fields whose own fields become fields of the row, such as `details`. */
  spread?: readonly string[];
  /**
   * Lets the model filter, sort and count the rows. The tool then reads the whole list first, because the service does none of that.
   */
  query?: RowQuery;
}

/** What a tool has to know about rows to filter, sort and count them. */
export interface RowQuery {
  /** Conditions, as an example for the model. */
  example: string;
  /** The field that the rows are sorted by, preceded by `-` for descending order. */
  order: string;
  /** The fields that order rows with equal values; together they identify a row. */
  ties: readonly [string, string];
  /** The field with the id of the vehicle that a row is about, if a vehicle may have several rows. */
  vehicle?: string;
  /** The two fields (from and until) that limit the time in which a row, such as a fault, is active, and the one that says whether it still is. */
  active?: readonly [from: string, until: string] | readonly [from: string, until: string, inProgress: string];
}

/** How an operation is offered to a model as a tool. */
export interface ToolMetadata<Field extends string = string> {
  /** A title of a few words, for users. */
  title: string;
  /** For the model: what the tool returns, and when to use it. */
  description: string;
  /** The toolset it belongs to, such as `positions`; selected with FLEET_TOOLSETS. */
  toolset: string;
  /** The input fields that a model may set; all of them by default. */
  inputs?: readonly Field[];
  /** Fields of `inputs` that are accepted but not listed, because listing them is not worth the tokens. */
  unlisted?: readonly Field[];
  /** Shorter descriptions of input fields for the model, which pays for each word on every turn. For a period, describe the first field. */
  hints?: Readonly<{ [Name in Field]?: string }>;
  /** Input fields that take the id of a named entity; the model passes the entity's name instead. */
  names?: Readonly<{ [Name in Field]?: NamedEntity }>;
  /** The two input fields (from and until) that the model sets together by describing a period in words. */
  period?: readonly [from: Field, until: Field];
  /** The rows of the response; absent if its shape is undocumented or it is a single record. */
  rows?: ToolRows;
  /** What the records of an undocumented response are likely to hold. */
  likely?: LikelyRecords;
}

/** What the records of an undocumented response are likely to contain. Only a hint: the tool looks at the values. */
export interface LikelyRecords {
  /** What a record is called, in the singular and the plural. */
  noun: readonly [one: string, many: string];
  /** Conditions, as an example for the model. */
  example: string;
  /** Entities that records may refer to, by which the model can filter them. */
  about: readonly NamedEntity[];
  /** Whether records are of what is still to come, so that a weekday or a month is first the next one. */
  holdsFuture?: boolean;
  /** Fields with the times at which what a record is about begins and ends, by which a period selects if there are any; otherwise any time does. */
  takesPlace?: readonly (readonly [start: string, end: string])[];
}

/** What is known when a deployment is probed: the time, and ids from its live positions. */
export interface ProbeContext {
  /** The time of the probe. */
  now: Date;
  /** Id of a vehicle in the live positions. */
  vehicleId?: string;
  /** Id of a driver in the live positions. */
  driverId?: string;
  /** Id of a vehicle group in the live positions. */
  groupId?: string;
}

/** The field that identifies a creation, so that a retry does not create a second record. The service keeps its values unique. */
export interface IdempotencyKey {
  /** The input field with the key. */
  field: string;
  /** Dotted path of the key in the output. */
  outputPath: string;
  /** Generates a unique key. */
  generate: (now: Date) => string;
  /** Name of the operation that lists created records, for looking up a key. */
  listedBy?: string;
}

/** The output of a creation with an idempotency key. */
export type Creation<Output> = Output & {
  /**
   * True if the creation was inferred: a response was lost, and the service then rejected the client's generated key because it already exists. Only the key
   * is known. This relies on the service keeping keys unique.
   */
  inferred?: true;
};

/** A rejection that the service sends with a 2xx status. */
export interface Refusal {
  /** The error code that the call fails with. */
  code: FleetErrorCode;
  /** What happened, in our words. */
  message: string;
  /** The service's errors. */
  errors?: ApiError[];
  /** Set if the write may still have had an effect. */
  changed?: "unknown";
}

/** Where a 2xx response to a write says what became of it. */
export interface OutcomePaths {
  /** Dotted path of the record's id: assigned by the service in a creation, repeated from the input in an update. */
  id: string;
  /** Dotted path of the service's errors. */
  errors: string;
}

/** Schemas by field name. */
export type Shape = z.core.$ZodLooseShape;
// biome-ignore lint/complexity/noBannedTypes: the shape of an operation without such fields is empty
export type NoFields = {};

/** The argument of `defineOperation`. */
export interface OperationSpec<Query extends Shape, Body extends Shape, Output, Params extends Shape = NoFields> {
  /** Name in camel case. The tool's name is derived from it: `listLivePositions` becomes `list_live_positions`. */
  name: string;
  /** What the operation does, in one line. */
  summary: string;
  /** Where the interface describes it, such as "interface 4.3". */
  source: string;
  /** HTTP method. */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path relative to the server's URL. `{customerId}` comes from the configuration, other placeholders from `params`. */
  path: string;
  /** Candidate servers; the first configured one is used. */
  servers: readonly [ServerName, ...ServerName[]];
  /** The documented authentication schemes, default first. */
  auth: readonly [AuthScheme, ...AuthScheme[]];
  /** Media type of the request body. */
  contentType?: string;
  /** Schemas of the path placeholders. */
  params?: Params;
  /** Schemas of the query fields. */
  query?: Query;
  /** Schemas of the body fields. */
  body?: Body;
  /** Rules that involve several fields; call `refuse` with the field and the rule it breaks. */
  rules?: (input: z.output<z.ZodObject<Params & Query & Body>>, refuse: (field: string, message: string) => void) => void;
  /** Output fields that are secrets: later errors never contain them, even if the service repeats them. */
  secretOutput?: readonly string[];
  /** Schema of the response body; `z.void()` if there is none or it does not matter. */
  output: z.ZodType<Output>;
  /** True if only the path is documented: input and output are then passed through. */
  undocumented?: true;
  /** The documented error responses, by HTTP status. */
  errors?: Readonly<Record<number, DocumentedError>>;
  /** What a call does to the service's data. */
  effect: Effect;
  /** How to request further pages; absent if there is only one. */
  paging?: Paging;
  /** Makes a creation safe to retry. */
  idempotencyKey?: IdempotencyKey;
  /**
   * Makes the client check what became of a write. An update with errors is rejected. A creation is rejected if there are errors and the service assigned
   * neither an id nor a key, and unknown if there are no errors and nothing that was not sent.
   */
  outcome?: OutcomePaths;
  /** Detects any other refusal with a 2xx status. */
  refusal?: (output: Output) => Refusal | undefined;
  /**
   * Returns the input of the cheapest call, for probing a deployment with a read, or undefined if the context lacks a required id. Takes ids from the context
   * and never makes one up.
   */
  probe?: (context: ProbeContext) => z.input<z.ZodObject<Params & Query & Body>> | undefined;
  /** Absent if no model may call it. */
  tool?: ToolMetadata<NoInfer<keyof (Params & Query & Body) & string>>;
}

/** Describes one endpoint to the client, the tools, the sandbox and the OpenAPI document. */
export interface Operation<Input = unknown, Output = unknown>
  // biome-ignore lint/suspicious/noExplicitAny: rules and refusal are contravariant; only defineOperation's caller sees them typed
  extends Omit<OperationSpec<any, any, Output, any>, "params" | "query" | "body" | "rules" | "refusal" | "probe" | "tool"> {
  /** Schemas of the path placeholders, except `{customerId}`; absent if there are none. */
  params?: Readonly<Record<string, z.ZodType>>;
  /** Schemas of the query fields. */
  query: Readonly<Record<string, z.ZodType>>;
  /** Schemas of the body fields; absent if there is no body. */
  body?: Readonly<Record<string, z.ZodType>>;
  /** The flat input: path, query and body fields in one object. Parses to the values as they are sent. */
  input: z.ZodType<unknown, Input>;
  /** Returns the input of the cheapest call, for probing a deployment, or undefined if the context lacks a required id. */
  probe?: (context: ProbeContext) => Input | undefined;
  /** Absent if no model may call it. */
  tool?: ToolMetadata;
  /** Detects a refusal with a 2xx status. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  refusal?: (output: any) => Refusal | undefined;
}

/** The input type of an operation. */
export type InputOf<Op> = Op extends Operation<infer Input> ? Input : never;

/** The output type of an operation. */
export type OutputOf<Op> = Op extends Operation<infer _, infer Output> ? Output : never;

import type { InputOf, OperationName, Operations } from "@fleetwire/core";
import type { TokenIssuer } from "./credentials.ts";
import type { Customer } from "./customers.ts";
import type { PathParameters } from "./path-parameters.ts";
import type { QueryParameters } from "./query-parameters.ts";
import type { UploadStore } from "./upload-store.ts";

/** What happens to a second job with the same number, which is undocumented (interface 2.5, jobNumber). */
export type DuplicateJobs = "refuse" | "overwrite" | "conflict";

/** An authenticated request and everything else that a handler may use. */
export interface Call<Input = unknown> {
  readonly customer: Customer;
  readonly url: URL;
  /** The validated value of a path placeholder. */
  readonly path: PathParameters<Input>;
  readonly query: QueryParameters;
  /** The decoded body, or undefined if the operation has none. */
  readonly body: unknown;
  /** The time of the request in epoch ms. */
  readonly now: number;
  readonly tokens: TokenIssuer;
  readonly uploads: UploadStore;
  readonly duplicateJobs: DuplicateJobs;
  /** The job server's URL, as used by the caller. */
  readonly jobUrl: string;
}

export type Handler<Input = unknown> = (call: Call<Input>) => Response | Promise<Response>;

/** A handler for each operation of the contract. */
export type Handlers = { readonly [Name in OperationName]: Handler<InputOf<Operations[Name]>> };

import type { InputOf, OperationName, Operations } from "@fleetwire/core";
import type { TokenIssuer } from "./credentials.ts";
import type { Customer } from "./customers.ts";
import type { PathParameters } from "./path-parameters.ts";
import type { QueryParameters } from "./query-parameters.ts";
import type { UploadStore } from "./upload-store.ts";

/** What is done with a second job of the same number; the interface does not say (interface 2.5, jobNumber). */
export type DuplicateJobs = "refuse" | "overwrite" | "conflict";

/** An authenticated request of an operation with this input, with all that a handler may use. */
export interface Call<Input = unknown> {
  readonly customer: Customer;
  readonly url: URL;
  /** The value of a placeholder in the operation's path; one that its schema does not take was refused before. */
  readonly path: PathParameters<Input>;
  readonly query: QueryParameters;
  /** The decoded body; undefined where the operation has none. */
  readonly body: unknown;
  /** The instant of the request, in epoch ms. */
  readonly now: number;
  readonly tokens: TokenIssuer;
  readonly uploads: UploadStore;
  readonly duplicateJobs: DuplicateJobs;
  /** Address of the job server as the caller reached it. */
  readonly jobUrl: string;
}

export type Handler<Input = unknown> = (call: Call<Input>) => Response | Promise<Response>;

/** One handler for each operation of the contract. */
export type Handlers = { readonly [Name in OperationName]: Handler<InputOf<Operations[Name]>> };

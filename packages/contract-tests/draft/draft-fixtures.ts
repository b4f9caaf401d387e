import { type FleetErrorCode, factsOf, type Operation, type OperationName, requestFields } from "@fleetwire/core";
import type * as z from "zod";
import { type Fixture, type Given, stateOf } from "../src/fixtures/fixture.ts";
import { FIXTURE_CUSTOMER, PLACEHOLDERS } from "../src/fixtures/stand-ins.ts";
import type { ContractTable, TableField } from "../src/table/contract-table.ts";
import { ABSENT, BodyDrawing, type Draw, type Drawn } from "./drawn-body.ts";

type Json = Record<string, unknown>;

/** A minimal call and a response of an operation, as core's samples have them. */
export interface Sample {
  input: Json;
  output: unknown;
}

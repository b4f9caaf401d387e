import * as z from "zod";

// People write these texts. A line of its own could be a command to the CI system that prints it.
const text = z
  .string()
  .min(1)
  .max(500)
  .overwrite((written) => written.replace(/\s+/gu, " "));

/** A difference that has been reviewed and accepted. Holds no values from records. */
export const AcceptedDrift = z.strictObject({
  operation: text,
  path: text.describe("such as $[*].speed"),
  kind: text,
  expected: text.describe("what the contract states, for the reader"),
  actual: z.array(text).min(1).describe("what the deployment has instead; anything else there is new drift"),
  since: z.iso.date().describe("the day it was accepted"),
  reason: text.optional().describe("why it is accepted"),
  expires: z.iso.date().optional().describe("the last day on which it is accepted"),
});

export type AcceptedDrift = z.infer<typeof AcceptedDrift>;

/** The file of `verify --baseline`. */
export const DriftBaseline = z
  .strictObject({ $schema: z.string().optional(), accepted: z.array(AcceptedDrift) })
  .meta({ title: "Accepted drift", description: "Differences of a deployment from the contract that verify --baseline accepts" });

export type DriftBaseline = z.infer<typeof DriftBaseline>;

/** Where a difference is. Equal kinds of drift at one place share an entry. */
export const placeOf = ({ operation, path, kind }: { operation: string; path: string; kind: string }) =>
  JSON.stringify([operation, path, kind]);

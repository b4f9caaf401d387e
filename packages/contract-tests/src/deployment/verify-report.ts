import * as z from "zod";

// People write these texts. A line of its own could be a command to the CI system that prints it.
const text = z
  .string()
  .min(1)
  .max(500)
  .overwrite((written) => written.replace(/\s+/gu, " "));

/** A difference that has been reviewed and accepted. Holds no values from records. */
const AcceptedDrift = z.strictObject({
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

const count = z.int().nonnegative();
const words = z.array(z.string());

/** One difference between a deployment and the contract, summed over the calls that revealed it. */
const DriftFinding = AcceptedDrift.extend({
  since: z.iso.date().optional().describe("the day it was accepted; absent for new drift"),
  examples: words.describe("the form of values: digits are 9, letters A or a"),
  records: count.describe("records that differ"),
  of: count.describe("records that could differ"),
  calls: words.describe("the calls that revealed it"),
});

export type DriftFinding = z.infer<typeof DriftFinding>;

const call = { operation: z.string(), call: z.string() };

/** What `verify --json` prints. */
export const VerifyReport = z
  .strictObject({
    status: z.enum(["same", "differs", "couldNotCheck"]).describe("exit code 0, 1 or 2"),
    date: z.iso.datetime(),
    requests: count.describe("requests sent, including those for tokens"),
    findings: z.array(DriftFinding).describe("new drift, and drift whose acceptance has expired"),
    accepted: z.array(DriftFinding).describe("drift that the baseline accepts"),
    vanished: z.array(AcceptedDrift).describe("accepted drift that the deployment no longer has"),
    notSeen: z.array(AcceptedDrift).describe("accepted drift that this run could not look for"),
    inconclusive: z.array(z.strictObject({ ...call, reason: z.string() })).describe("calls without a checkable response"),
    checked: z.array(z.strictObject({ ...call, title: z.string(), milliseconds: count })),
    skipped: z.array(z.strictObject({ ...call, reason: z.string() })),
    notChecked: words.describe("read operations that this run did not check in full; without --allow-partial, it is not green"),
    jobsLeftBehind: words.describe("numbers of jobs that remain in the deployment"),
    observations: words.describe("how the deployment resolves what the interface leaves open: observed, not documented"),
    coverage: z
      .array(z.strictObject({ operation: z.string(), fields: count, seen: count, missing: words }))
      .describe("fields of the interface that responses had"),
  })
  .meta({
    title: "Report of fleetwire-contract verify",
    description: "How a deployment differs from the contract. Holds no values from records.",
  });

export type VerifyReport = z.infer<typeof VerifyReport>;

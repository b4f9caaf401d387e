import type { Way } from "./hosts.ts";
import type { Reply } from "./session.ts";

/** Matches a confirmation token. */
export const TOKEN = /(?<![\w.-])[0-9a-z]{6,12}\.[A-Z0-9-]{0,40}\.[\w-]{22,}/;

/** What every host's model has to see of a read. */
export const READS: readonly (readonly [name: string, tool: string, args: Record<string, unknown>, shows: readonly RegExp[]])[] = [
  ["one vehicle", "locate_vehicle", { query: "truck 12" }, [/Truck 12/, /DW 6706N/, /5\d\.\d\d/]],
  ["several vehicles", "locate_vehicle", { query: "truck" }, [/22/, /Truck 1\b/, /Truck 4\b/, /BYS/]],
];

export interface Write {
  name: string;
  /** The user's reply, if a test plays the user. */
  reply?: Reply;
  /** Whether the call includes the confirmation token of an earlier step. */
  confirmed?: boolean;
  /** Number of jobs at this address after the call. */
  jobs: 0 | 1;
  /** Whether this call sends the job. */
  sends?: true;
  /** What the model sees. */
  shows: RegExp;
  /** Whether the model sees a confirmation token. */
  token: boolean;
}

const CREATED = /FW-\d{8}-\w{10}/;

/** None of these counts as acceptance. */
const NOT_A_YES: readonly unknown[] = ["false", "no", 0, null, [false], {}];

const notAYes: readonly Write[] = NOT_A_YES.map((confirm) => ({
  name: `accept, confirm ${JSON.stringify(confirm)}`,
  reply: { action: "accept", content: { confirm } },
  jobs: 0,
  // The host may reject the user's content itself; in any case nothing is sent.
  shows: /declined|nothing was sent|[Ii]nvalid|not match/,
  token: false,
}));

const ASKED: readonly Write[] = [
  { name: "accept", reply: { action: "accept", content: { confirm: true } }, jobs: 1, sends: true, shows: CREATED, token: false },
  ...notAYes,
  { name: "decline", reply: { action: "decline" }, jobs: 0, shows: /declined/, token: false },
  { name: "cancel", reply: { action: "cancel" }, jobs: 0, shows: /cancelled/, token: false },
];

/** Successive calls with the same arguments. */
const CONFIRMED: readonly Write[] = [
  { name: "first call", jobs: 0, shows: /[Nn]othing was sent/, token: true },
  { name: "with confirmation", confirmed: true, jobs: 1, sends: true, shows: CREATED, token: false },
  { name: "again with it", confirmed: true, jobs: 1, shows: /already|inferred/i, token: false },
];

/** Whether the server can elicit. Without a session, older hosts over HTTP cannot be asked during a call. */
const canElicit = ({ elicitation, revision, transport }: Way): boolean =>
  elicitation !== "none" && (revision === "2026-07-28" || transport === "stdio");

/** Expected writes with FLEET_CONFIRM=auto; the steps share their arguments or each has its own. */
export function writesOf(way: Way): { shared: boolean; steps: readonly Write[] } {
  const { elicitation } = way;
  if (!canElicit(way)) return { shared: true, steps: CONFIRMED };
  if (elicitation === "user") return { shared: false, steps: ASKED };
  const shows = elicitation === "declines" ? /declined/ : /cancelled/;
  return { shared: false, steps: [{ name: elicitation, jobs: 0, shows, token: false }] };
}

/** With FLEET_CONFIRM=never a write is sent immediately. */
export const UNASKED: Write = { name: "never", jobs: 1, sends: true, shows: CREATED, token: false };

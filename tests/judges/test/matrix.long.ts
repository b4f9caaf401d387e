import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { READS, TOKEN, UNASKED, type Write, writesOf } from "./expected.ts";
import { type Fleet, overStdio, type Served, type ServerAt, serveHttp, startFleet } from "./fleet.ts";
import { HOSTS, type Host, type Way } from "./hosts.ts";
import { INSTALL_TIMEOUT, installPackages } from "./npx-packages.ts";
import { Matrix } from "./print-matrix.ts";
import { dropFolder, newFolder, type Session } from "./session.ts";
import { type Tapped, tap } from "./tap.ts";

let fleet: Fleet;
const served: Record<string, Served> = {};
interface Cell extends Way {
  host: Host;
  name: string;
  /** Whether a write is also tried without confirmation, where elicitation makes no difference. */
  isUnasked: boolean;
}

const CELLS: readonly Cell[] = HOSTS.flatMap((host) =>
  host.ways.map((way) => {
    const first = host.ways.find(({ revision, transport }) => revision === way.revision && transport === way.transport);
    return { ...way, host, name: host.name, isUnasked: way === first };
  }),
);

interface Opened {
  session: Session;
  tapped: Tapped;
  close(): Promise<void>;
}

async function open({ host, revision, transport, elicitation }: Cell, confirm: "auto" | "never"): Promise<Opened> {
  const folder = await newFolder();
  const server: ServerAt =
    transport === "http" ? (served[confirm] as Served).server : overStdio({ ...fleet.env, ...host.env, FLEET_CONFIRM: confirm });
  const tapped = await tap(server, folder);
  const dropped = async () => {
    await tapped.stop();
    await dropFolder(folder);
  };
  try {
    const session = await host.open({ server: tapped.server, revision, elicits: elicitation === "user", folder });
    const close = () => session.close().finally(dropped);
    return { session, tapped, close };
  } catch (error) {
    await dropped();
    throw error;
  }
}

let addresses = 0;
const newAddress = () => `Matrix Road ${++addresses}, Lyon`;

/** Performs one write, checks the expectations and returns the confirmation token. */
async function write(session: Session, step: Write, address: string, confirmation: string | undefined): Promise<string | undefined> {
  if (step.reply) await session.reply(step.reply);
  const args = { address, vehicleName: "Truck 12", ...(step.confirmed && { confirmation }) };
  const { seen, questions, thrown } = await session.call("create_job", args);
  const jobs = await fleet.jobsWith("address", address);
  const token = TOKEN.exec(seen)?.[0];
  expect({ step: step.name, jobs: jobs.length, token: token !== undefined, seen }).toEqual({
    step: step.name,
    jobs: step.jobs,
    token: step.token,
    seen: expect.stringMatching(step.shows),
  });
  if (step.reply) expect(questions).toEqual([expect.stringContaining(address)]);
  // Some clients throw for refusals.
  if (step.sends || step.token) expect(thrown).toBe(false);
  return token ?? confirmation;
}

describe("every combination of each host", () => {
  const matrix = new Matrix();

  beforeAll(async () => {
    for (const { packages } of HOSTS) if (packages) void installPackages(packages).catch(() => {});
    fleet = await startFleet();
    for (const confirm of ["auto", "never"]) served[confirm] = await serveHttp({ ...fleet.env, FLEET_CONFIRM: confirm });
  });

  afterAll(async () => {
    await Promise.all([...Object.values(served), fleet].map((each) => each.stop()));
    console.log(matrix.printed());
  });

  describe.each(CELLS)("$name, revision $revision over $transport, elicitation: $elicitation", (cell) => {
    let opened: Opened;
    const row = matrix.row(cell);

    beforeAll(async () => {
      opened = await open(cell, "auto");
    }, INSTALL_TIMEOUT);

    afterAll(() => opened?.close());

    it.each(READS)("reads %s", async (name, tool, args, shows) => {
      await row.shows(name, async () => {
        const { seen, thrown } = await opened.session.call(tool, args);
        expect({ thrown, seen }).toEqual({ seen: expect.any(String), thrown: false });
        for (const pattern of shows) expect(seen).toMatch(pattern);
        const revisionSeen = opened.tapped.revision();
        row.spoke(revisionSeen);
        if (cell.revision === "2026-07-28") expect(revisionSeen).toBe("2026-07-28");
        else expect(revisionSeen).toMatch(/^202[45]-/);
        return "ok";
      });
    });

    const { shared, steps } = writesOf(cell);
    const common = newAddress();
    let confirmation: string | undefined;

    it.each(steps)("writes: $name", async (step) => {
      await row.shows(step.name, async () => {
        confirmation = await write(opened.session, step, shared ? common : newAddress(), confirmation);
        return step.sends ? "1 job" : step.token ? "preview" : "nothing sent";
      });
    });

    it.runIf(cell.isUnasked)("writes at once with FLEET_CONFIRM=never", async () => {
      await row.shows(UNASKED.name, async () => {
        const { session, close } = await open(cell, "never");
        await write(session, UNASKED, newAddress(), undefined).finally(close);
        return "1 job";
      });
    });
  });
});

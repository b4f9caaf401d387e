import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Framework } from "./frameworks.ts";
import { type GatedService, startGatedService } from "./gated-service.ts";
import { INSTALL_TIMEOUT, type Installed } from "./install-packages.ts";
import { type Decision, directHost, frameworkHost, mcpHost, type Seen, type ToolHost } from "./tool-hosts.ts";

interface Opened {
  name: string;
  approves: boolean;
  optional?: true;
  open(env: GatedService["env"]): Promise<ToolHost>;
}

/** Reads for which every host must return the same text and the same record. */
const READS = {
  list: 'call list_live_positions {"sort":"-speed","limit":3}',
  question: "Where is truck 12?",
  ambiguous: 'call locate_vehicle {"query":"truck"}',
  error: 'call list_live_positions {"limit":-1}',
} as const;

const jobAt = (address: string, more = {}) => `call create_job ${JSON.stringify({ address, vehicleName: "Truck 12", ...more })}`;
const TOKEN = /(?<![\w.-])[0-9a-z]{6,12}\.[A-Z0-9-]{0,40}\.[\w-]{22,}/;
const CREATED = /Job created[\s\S]*FW-\d{8}-\w{10}/;
const NOT_SENT = /Nothing was sent: the user must approve/;

/** Matches ages, which differ between two hosts' calls. */
const timeless = (text: string) => text.replace(/\d+ (s|min) ago|just now/g, "? ago").replace(/now \d{4}-\d\d-\d\d \d\d:\d\d/g, "now ?");
const compared = ({ shown, records }: Seen) => ({ shown: shown.map(timeless), records: timeless(JSON.stringify(records)) });

/** Runs every case in every framework and over MCP, and prints the outcomes as a table. */
export function describeMatrix(frameworks: readonly Framework[], installed: Installed): void {
  const hosts: readonly Opened[] = [
    { name: "fleetwire-mcp", approves: true, open: mcpHost },
    ...frameworks.map((framework) => ({
      ...framework,
      open: (env: GatedService["env"]) => frameworkHost(framework, installed, env),
    })),
  ];
  let service: GatedService;
  let direct: ToolHost;
  beforeAll(async () => {
    service = await startGatedService();
    direct = directHost(service.env);
  });

  const outcomes = new Map<string, Map<string, string>>();
  afterAll(async () => {
    const columns = [...new Set([...outcomes.values()].flatMap((row) => [...row.keys()]))];
    const lines = [["host", ...columns], ...[...outcomes].map(([name, row]) => [name, ...columns.map((column) => row.get(column) ?? "-")])];
    const widths = lines[0]?.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0))) ?? [];
    console.log(
      `\n${lines
        .map((cells) =>
          cells
            .map((cell, at) => cell.padEnd(widths[at] ?? 0))
            .join("  ")
            .trimEnd(),
        )
        .join("\n")}\n`,
    );
    await service.stop();
  });

  describe.each(hosts)("$name", ({ name, approves, optional, open }) => {
    let host: ToolHost;
    beforeAll(async () => {
      host = await open(service.env);
    }, INSTALL_TIMEOUT);
    afterAll(() => host?.close());

    /** Runs a case and records its outcome in the printed table. */
    async function noted(column: string, run: () => Promise<string>): Promise<void> {
      const row = outcomes.get(name) ?? new Map<string, string>();
      outcomes.set(name, row.set(column, "FAILED"));
      row.set(column, await run());
    }

    /** Lets the model write a job, and returns how many jobs that created. */
    async function write(prompt: string, decide: Decision, bare?: true): Promise<Seen & { jobs: number }> {
      const before = service.writes();
      const seen = await host.say(prompt, decide, bare);
      return { ...seen, jobs: service.writes() - before };
    }

    it.each(Object.entries(READS))("%s: shows the text and record that the tools return", async (column, prompt) => {
      await noted(column, async () => {
        const [seen, expected] = [await host.say(prompt), await direct.say(prompt)];
        expect(seen.thrown).toBeUndefined();
        // Providers may wrap the text of an error.
        if (column === "error") expect(seen.shown.join()).toContain(expected.shown.join());
        else expect(compared(seen)).toEqual(compared(expected));
        return "same";
      });
    });

    it.runIf(approves)("approved: sends exactly what was shown", async () => {
      await noted("approved", async () => {
        const { asked, shown, jobs, thrown } = await write(jobAt(`${name} approved, Lyon`), "approve");
        expect({ asked, shown, jobs, thrown }).toEqual({
          asked: [expect.stringContaining(`address: ${name} approved, Lyon`)],
          shown: [expect.stringMatching(CREATED)],
          jobs: 1,
          thrown: undefined,
        });
        return "1 job";
      });
    });

    it.runIf(approves)("denied: sends nothing, and the model is told", async () => {
      await noted("denied", async () => {
        const { asked, shown, jobs, thrown } = await write(jobAt(`${name} denied, Lyon`), "deny");
        expect({ asked: asked.length, shown, jobs, thrown }).toEqual({
          asked: 1,
          shown: [expect.stringMatching(/denied|declined|not approved/)],
          jobs: 0,
          thrown: undefined,
        });
        return "0 jobs";
      });
    });

    it.runIf(approves)("left open: sends nothing", async () => {
      await noted("left open", async () => {
        const { asked, shown, jobs } = await write(jobAt(`${name} open, Lyon`), "open");
        expect({ asked: asked.length, jobs }).toEqual({ asked: 1, jobs: 0 });
        expect(shown.join()).not.toMatch(CREATED);
        return "0 jobs";
      });
    });

    it.runIf(!approves || optional)("without approval: returns a preview and a token that sends it", async () => {
      await noted("no approval", async () => {
        const address = `${name} by token, Lyon`;
        const first = await write(jobAt(address), "approve", true);
        expect({ jobs: first.jobs, shown: first.shown.join() }).toEqual({ jobs: 0, shown: expect.stringMatching(NOT_SENT) });
        const [confirmation] = TOKEN.exec(first.shown.join()) ?? [];
        const second = await write(jobAt(address, { confirmation }), "approve", true);
        expect({ jobs: second.jobs, shown: second.shown.join() }).toEqual({ jobs: 1, shown: expect.stringMatching(CREATED) });
        return "token, 1 job";
      });
    });

    it("cancelled: the request to the service is cancelled", async () => {
      await noted("cancelled", async () => {
        const { arrived, closed } = service.hold();
        const said = host.say("call list_jobs {}");
        await arrived;
        host.abort();
        await closed;
        const { shown } = await said;
        expect(shown.join()).not.toMatch(/jobs/);
        return "request closed";
      });
    });
  });
}

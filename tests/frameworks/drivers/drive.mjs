// Runs one framework in its own process, with the Node version and packages that it needs. Commands and results go over IPC.
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";

const wordsOf = (error) => [error?.message ?? String(error), ...(error?.cause ? [String(error.cause)] : [])].join(": ");

/**
 * `open` gets the fleet's tools and returns a function that runs an agent on a prompt and reports the previews that its user sees in `asked`.
 * `decide` is what the user does: "approve", "deny" or "open"; `bare` means that the framework's approval is not configured. The function
 * returns the records of the calls, if the framework passes them to the application.
 */
export async function drive(open) {
  let records = [];
  const fleet = createFleetTools(fleetToolsConfigFromEnv(process.env));
  const options = { onResult: (_, { structured }) => records.push(structured) };
  const converse = await open(fleet, options);
  let aborting = new AbortController();
  process.on("message", async ({ prompt, decide, bare, abort }) => {
    if (abort) return aborting.abort();
    aborting = new AbortController();
    records = [];
    const asked = [];
    try {
      const native = await converse({ prompt, decide, bare, asked, aborting, signal: aborting.signal });
      process.send({ asked, records: native ?? records });
    } catch (error) {
      process.send({ asked, records, thrown: wordsOf(error) });
    }
  });
  process.on("disconnect", () => process.exit(0));
  process.send({ ready: true });
}

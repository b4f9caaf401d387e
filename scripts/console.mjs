// Starts the sandbox with some jobs, and opens its console in the browser. Takes the sandbox's flags, and --no-open.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createFleetClient, fleetConfigFromEnv } from "../packages/core/dist/index.js";

const sandbox = fileURLToPath(new URL("../packages/sandbox/dist/fleetwire-sandbox.js", import.meta.url));

/** A morning's work. A fleet starts without jobs, since only the interface creates them. */
const JOBS = [
  ["Truck 12", "Collect 4 pallets", "Quai Perrache 10, 69002 Lyon, France", "IN_PROGRESS"],
  ["Truck 12", "Deliver to cold store 2", "Hafenstraße 51, 28217 Bremen, Germany", "ASSIGNED"],
  ["Truck 3", "Deliver steel coils", "Calle de la Ribera 8, 50002 Zaragoza, Spain", "VISITED"],
  ["Truck 5", "Collect empties", "Via dell'Industria 20, 37135 Verona, Italy", "IN_PROGRESS"],
  ["Van 7", "Parcels, 31 stops", "Kröpeliner Straße 12, 18055 Rostock, Germany", "ASSIGNED"],
  ["Van 2", "Spare parts, urgent", "Bull Street 40, Birmingham B4 6AD, United Kingdom", "CANCELLED"],
  ["eVan 3", "Pharmacy round", "Oudegracht 158, 3511 AZ Utrecht, Netherlands", "NEW"],
];

/** Opens a page with the system's browser. Without one, the printed URL has to do. */
function openBrowser(url) {
  const { platform, env } = process;
  if (env.CI || (platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY)) return;
  const [command, ...args] =
    platform === "darwin" ? ["open", url] : platform === "win32" ? ["cmd", "/c", "start", "", url] : ["xdg-open", url];
  const opener = spawn(command, args, { detached: true, stdio: "ignore" });
  opener.on("error", () => {});
  opener.unref();
}

const flags = process.argv.slice(2).filter((flag) => flag !== "--no-open");
const child = spawn(process.execPath, [sandbox, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
child.on("exit", (code) => process.exit(code ?? 0));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));

const [line] = await once(createInterface({ input: child.stdout }), "line");
const { origin, env } = JSON.parse(line);
const fleet = createFleetClient({ ...fleetConfigFromEnv(env), userAgent: "fleetwire-jobs/1" });
const { now } = await (await fetch(`${origin}/console/api/status`)).json();
const HOUR = 3_600_000;
const inMinutes = (at) => `${new Date(at).toISOString().slice(0, 16)}Z`;
for (const [at, [vehicleName, jobTitle, address, status]] of JOBS.entries()) {
  const opens = now + (at - 1) * HOUR;
  const window = { arrivalWindowStart: inMinutes(opens), arrivalWindowEnd: inMinutes(opens + 2 * HOUR) };
  // Smaller fleets have no such vehicle, and faults may fail any request.
  await fleet.createJob({ vehicleName, jobTitle, address, status, ...window }).catch(() => {});
}
console.log(`The console is at ${origin}/ (Ctrl-C stops it). The fleet is made up; requests are logged below.`);
if (!process.argv.includes("--no-open")) openBrowser(`${origin}/`);

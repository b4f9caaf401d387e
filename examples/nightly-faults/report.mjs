// Writes a report of the fleet's open faults, red lamps first. For cron:
// 0 5 * * * cd /srv/nightly-faults && node --env-file=fleet.env report.mjs /srv/reports || echo "no fault report" | mail -s Fleet ops@example.com
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFleetClient, FleetError, fleetConfigFromEnv } from "@fleetwire/core";

const [folder = "."] = process.argv.slice(2);

const isRed = ({ details }) => details?.lamps?.some((lamp) => /red/i.test(lamp)) ?? false;
// The fleet's text is data: it must neither end a cell nor be read as Markdown or HTML.
const cell = (value) =>
  String(value ?? "")
    .replace(/\s+/g, " ")
    .replace(/[\\`*_[\]<>|]/g, "\\$&");

async function openFaults() {
  const fleet = createFleetClient(fleetConfigFromEnv(process.env));
  const rows = [];
  for await (const { assetName, assetRegistration, groupName, faults = [] } of fleet.listVehicleFaults.iterate()) {
    for (const fault of faults) if (fault.inProgress) rows.push({ assetName, assetRegistration, groupName, fault });
  }
  return rows.sort(
    (a, b) => Number(isRed(b.fault)) - Number(isRed(a.fault)) || (a.fault.startDate ?? "").localeCompare(b.fault.startDate ?? ""),
  );
}

function reportOf(rows, day) {
  const vehicles = new Set(rows.map(({ assetName, assetRegistration }) => `${assetName} ${assetRegistration}`)).size;
  const red = rows.filter(({ fault }) => isRed(fault)).length;
  const lines = rows.map(({ assetName, assetRegistration, groupName, fault }) =>
    [fault.details?.lamps?.join(", "), assetName, assetRegistration, groupName, fault.code, fault.description, fault.startDate]
      .map(cell)
      .join(" | "),
  );
  return [
    `# Open faults on ${day}`,
    "",
    `${rows.length} open faults of ${vehicles} vehicles, ${red} with a red lamp.`,
    "",
    "| lamps | vehicle | registration | group | code | description | since (UTC) |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...lines.map((line) => `| ${line} |`),
    "",
  ].join("\n");
}

try {
  const day = new Date().toISOString().slice(0, 10);
  const report = reportOf(await openFaults(), day);
  await mkdir(folder, { recursive: true });
  const file = join(folder, `faults-${day}.md`);
  // Renamed once complete, so that nobody mails half a report.
  await writeFile(`${file}.part`, report);
  await rename(`${file}.part`, file);
  console.log(file);
} catch (error) {
  console.error(error instanceof FleetError ? error.message : error);
  process.exitCode = 1;
}

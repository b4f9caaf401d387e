// The main use case: a real MCP client asks fleetwire-mcp where a vehicle is, creates a job for it and reads it back.
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const query = process.argv.slice(2).join(" ") || "truck 12";
const bin = fileURLToPath(new URL("../packages/mcp-server/dist/fleetwire-mcp.js", import.meta.url));

const style = (format, text) => (process.stdout.isTTY ? styleText(format, text) : text);
const title = (text) => console.log(`\n${style("bold", text)}`);
const facts = (rows) => {
  const shown = rows.filter(([, value]) => value !== undefined && value !== "");
  const width = Math.max(...shown.map(([name]) => name.length));
  for (const [name, value] of shown) console.log(`  ${style("cyan", name.padEnd(width))}  ${value}`);
};

const client = new Client(
  { name: "fleetwire-demo", version: "1.0.0" },
  { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: { form: {} } } },
);

// The server asks for confirmation before it sends a write. A host would show the message and wait for a click.
client.setRequestHandler("elicitation/create", ({ params: { message } }) => {
  console.log(message.replace(/^/gm, "  | "));
  console.log("  The demo's user accepts.");
  return { action: "accept", content: { confirm: true } };
});

async function ask(name, args) {
  console.log(style("dim", `  ${name} ${JSON.stringify(args)}`));
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent;
}

function showVehicle(vehicle) {
  const {
    assetName,
    assetRegistration,
    eventType,
    speed,
    heading,
    formattedAddress,
    locationName,
    latitude,
    longitude,
    date,
    age,
    driverName,
  } = vehicle;
  const moving = speed > 0 ? `, ${Math.round(speed)} km/h, heading ${Math.round(heading)}° (0 is north)` : "";
  const place = [locationName, formattedAddress].filter(Boolean).join(", ");
  facts([
    ["What", [assetName, assetRegistration].filter(Boolean).join(", registration ")],
    ["Where", vehicle.privacy ? "withheld (private journey)" : place],
    ["Point", latitude === undefined ? undefined : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`],
    ["Status", `${eventType ?? "not reported"}${moving}`],
    ["Seen", `${age}, at ${date}`],
    ["Driver", driverName ?? "unknown"],
  ]);
}

async function createAndShowJob({ assetName }) {
  title(`A job for ${assetName}`);
  const { job } = await ask("create_job", {
    jobTitle: "Collect 4 pallets",
    address: "Quai Perrache 10, 69002 Lyon, France",
    vehicleName: assetName,
    notes: "Ring at gate 3",
  });
  const { jobNumber, jobTitle, address, vehicleName, personName, status } = job;
  facts([
    ["Number", jobNumber],
    ["Title", jobTitle],
    ["Where", address],
    ["For", [vehicleName, personName].filter(Boolean).join(", driven by ")],
    ["Status", status],
  ]);

  title("All jobs");
  const listed = await ask("list_jobs", { fields: ["jobNumber", "jobTitle", "vehicleName", "status"] });
  for (const row of listed.rows) console.log(`  ${row.join("  ")}`);
  console.log(style("dim", "  (the sandbox's own shape: the interface documents only the path of this endpoint)"));
}

console.log("Starting fleetwire-mcp --sandbox over stdio: the fleet is simulated, everything else is real ...");
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [bin, "--sandbox", "--log", "error"], stderr: "inherit" }),
);
try {
  title(`Tools, MCP revision ${client.getNegotiatedProtocolVersion()}`);
  const { tools } = await client.listTools();
  facts(tools.map(({ name, annotations }) => [name, `${annotations.title}${annotations.readOnlyHint ? "" : " (writes)"}`]));

  title(`Where is ${query}?`);
  const { result, vehicle, question } = await ask("locate_vehicle", { query });
  if (result === "found") {
    showVehicle(vehicle);
    await createAndShowJob(vehicle);
  } else {
    console.log(`  ${question}`);
    console.log(`  It is unclear which vehicle is meant, so no job is created. Try: npm run demo -- "truck 12"`);
  }
  console.log("\nSee the fleet on a map, with its drivers' days and jobs: npm run console");
} catch (error) {
  console.error(`\nThe demo failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  await client.close();
}

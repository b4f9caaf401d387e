// Imports one client in its own process, and reports the time from there to its first result.
const [path, address] = process.argv.slice(2);
const begun = performance.now();
const usage = process.cpuUsage();
const { open } = await import(path);
const records = await open(address)();
if (records.length === 0) throw new Error("Got no records");
const { user, system } = process.cpuUsage(usage);
process.send({ ms: performance.now() - begun, cpu: (user + system) / 1000 });
process.disconnect();

import { writeFileSync } from "node:fs"; import { loadavg } from "node:os";
import { measurePast, pastTable } from "./past-scale.mjs"; import { printTable } from "./measure.mjs";
const before = loadavg()[0]; const rows = await measurePast(500, 2); printTable(pastTable(rows));
writeFileSync("/tmp/past-rest/past.json", JSON.stringify({ rows, before, after: loadavg()[0] }));

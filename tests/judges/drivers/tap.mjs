// A transparent stdio proxy between host and server that logs each message of the host to a file.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [file, ...args] = process.argv.slice(2);
const server = spawn(process.execPath, args, { stdio: ["pipe", "inherit", "inherit"] });
process.stdin.on("data", (chunk) => {
  appendFileSync(file, chunk);
  server.stdin.write(chunk);
});
process.stdin.on("end", () => server.stdin.end());
server.stdin.on("error", () => {});
server.on("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => server.kill(signal));

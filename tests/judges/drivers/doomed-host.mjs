// A host that starts the server, prints its process id, sends one request and waits to be killed.
import { spawn } from "node:child_process";

const [message, ...args] = process.argv.slice(2);
const server = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
server.stdout.resume();
server.stdin.write(`${message}\n`);
process.stdout.write(`${server.pid}\n`);

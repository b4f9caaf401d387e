import { InvalidArgumentError, Option } from "commander";

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
  return port;
}

export const portOption = () => new Option("--port <number>", "port to listen on; 0 picks a free one").argParser(readPort).default(4020);

export const hostOption = () => new Option("--host <address>", "loopback address to listen on").default("127.0.0.1");

import { InvalidArgumentError, Option } from "commander";

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
  return port;
}

function readDays(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of days, at least 1.");
  return Number(text);
}

export const daysOption = () => new Option("--days <number>", "days for which the token is valid (default unlimited)").argParser(readDays);

export const portOption = () => new Option("--port <number>", "port to listen on; 0 picks a free one").argParser(readPort).default(4020);

export const hostOption = () =>
  new Option("--host <address>", "address to listen on; loopback unless callers are authenticated").default("127.0.0.1");

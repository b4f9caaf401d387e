// `npm run task -- draft OPERATION` drafts the rows and fixtures of an operation; with --reviewed it removes the marks from reviewed fixtures.
import { draft, markReviewed } from "../draft/draft.ts";

const [name, flag] = process.argv.slice(2);
try {
  if (name === undefined || (flag !== undefined && flag !== "--reviewed"))
    throw new Error("usage: npm run task -- draft OPERATION [--reviewed]");
  const report = flag ? markReviewed(name) : draft(name, new Date().toISOString().slice(0, 10));
  for (const line of report) console.log(line);
} catch (error) {
  process.stderr.write(`npm run task -- draft: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

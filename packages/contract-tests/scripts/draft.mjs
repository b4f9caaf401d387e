// npm run draft -- OPERATION drafts the rows and fixtures of an operation; --reviewed then removes the marks from the fixtures.
import { importSources } from "./import-sources.mjs";

const [name, flag] = process.argv.slice(2);
try {
  if (name === undefined || (flag !== undefined && flag !== "--reviewed"))
    throw new Error("usage: npm run draft -- OPERATION [--reviewed]");
  const { draft, markReviewed } = await importSources("draft/draft.ts");
  const messages = flag ? markReviewed(name) : draft(name, new Date().toISOString().slice(0, 10));
  for (const line of messages) console.log(line);
} catch ({ message }) {
  process.stderr.write(`npm run draft: ${message}\n`);
  process.exitCode = 1;
}

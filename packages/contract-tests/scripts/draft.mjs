// Drafts what contract-tests needs of an operation: npm run draft -- OPERATION; with --reviewed it takes the marks off the fixtures, once they are checked.
import { importSources } from "./import-sources.mjs";

const [name, flag] = process.argv.slice(2);
try {
  if (name === undefined || (flag !== undefined && flag !== "--reviewed"))
    throw new Error("usage: npm run draft -- OPERATION [--reviewed]");
  const { draft, markReviewed } = await importSources("draft/draft.ts");
  const said = flag ? markReviewed(name) : draft(name, new Date().toISOString().slice(0, 10));
  for (const line of said) console.log(line);
} catch ({ message }) {
  process.stderr.write(`npm run draft: ${message}\n`);
  process.exitCode = 1;
}

// Plugins of rolldown for what the bundles load differently from the sources.

/** The server passes a validator of its own to the SDK. */
export const OWN_VALIDATOR = {
  importer: /@modelcontextprotocol\/server\/dist\/.*\.mjs$/,
  source: /^@modelcontextprotocol\/server\/_shims$/,
  content: 'export { default as process } from "node:process";\nexport class DefaultJsonSchemaValidator {}',
};

/** Replaces modules, by the path of the importing module and what it imports, and collects those that were imported. */
export const replacements = (replaced, used = new Set()) => ({
  name: "replacements",
  resolveId(source, importer = "") {
    const at = replaced.findIndex((one) => one.importer.test(importer) && one.source.test(source));
    if (at === -1) return null;
    used.add(replaced[at]);
    return `\0replacement-${at}.js`;
  },
  load(id) {
    const at = /^\0replacement-(\d+)\.js$/.exec(id)?.[1];
    return at === undefined ? null : { code: replaced[Number(at)].content, moduleSideEffects: false };
  },
});

const LOAD_PINO = 'createRequire(import.meta.url)("pino")';

/** Loads pino, which only the first line of a log needs, with another expression than the sources. */
export const pinoAt = (expression) => ({
  name: "pino",
  transform: {
    filter: { id: /mcp-server\/dist\/log\.js$/ },
    handler: (code) => {
      if (!code.includes(LOAD_PINO)) throw new Error(`log.ts does not contain ${LOAD_PINO} any more: see scripts/bundle-plugins.mjs`);
      return code.replace(LOAD_PINO, expression);
    },
  },
});

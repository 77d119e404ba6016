import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const SOURCES = join(import.meta.dirname, 'src');

/** Packages that every start loads, of hundreds of files. The others stay beside the program: many bring data of their own. */
const BUNDLED = [
  /^(?:@asteasolutions|@hono|@modelcontextprotocol|@opentelemetry)\//,
  /^(?:aws4fetch|bintrees|commander|cron-parser|hono|kysely|lru-cache|luxon|non-error|pg|pg-boss|prom-client)(?:$|\/)/,
  /^(?:pg-[\w-]+|postgres-[\w-]+|rrule-temporal|serialize-error|tdigest|xtend|zod)(?:$|\/)/,
];

/** Where a thread or a process is started, or queries are loaded. */
const STARTED = /workerUrl\(import\.meta, '(.+?)'\)/g;

const META = /\bimport\.meta\b(?!\.(?:main|resolve)\b)/g;

/** At the end of a chunk, so that its lines stay where they are. */
const PLACE_OF = `
function placeOf(path) {
  const { getBuiltinModule } = process;
  const url = new URL(path, new URL(ROOT, import.meta.url));
  return { url: url.href, dirname: getBuiltinModule('node:path').dirname(getBuiltinModule('node:url').fileURLToPath(url)) };
}
`;

/** Puts the service into few files: a start reads each, and spends most of its time on their number. */
export default defineConfig({
  ssr: { noExternal: BUNDLED },
  plugins: [placed()],
  build: {
    ssr: true,
    outDir: 'dist',
    emptyOutDir: true,
    copyPublicDir: false,
    license: { fileName: 'licenses.md' },
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(entries().map((file) => [file.replace(/\.ts$/, ''), join(SOURCES, file)])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});

/** Files of `src/` that are loaded by their path. */
function entries(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /^(?!testing\/).*(?<!\.test)\.ts$/.test(file));
  const loaded = sources.flatMap((file) =>
    [...readFileSync(join(SOURCES, file), 'utf8').matchAll(STARTED)].map(([, path = '']) =>
      join(dirname(file), `${path}.ts`),
    ),
  );
  // Comments have examples.
  return ['main.ts', ...new Set(loaded)].filter((file) => existsSync(join(SOURCES, file)));
}

/** Lets each module look for files from the place that it has without a bundle. */
function placed(): Plugin {
  return {
    name: 'placed',
    enforce: 'pre',
    transform(code, id) {
      const path = relative(SOURCES, id);
      if (path.startsWith('..') || !code.includes('import.meta')) return undefined;
      return { code: code.replaceAll(META, `placeOf(${JSON.stringify(path.replace(/\.ts$/, '.js'))})`), map: null };
    },
    renderChunk(code, { fileName }) {
      if (!code.includes('placeOf(')) return undefined;
      const root = `${relative(dirname(fileName), '.') || '.'}/`;
      return { code: code + PLACE_OF.replace('ROOT', JSON.stringify(root)), map: null };
    },
  };
}

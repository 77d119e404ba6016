import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const OUT_DIR = join(import.meta.dirname, 'dist', 'web');
/** What a first visit may transfer: the page, its script with everything that it imports at once, and its styles. */
const FIRST_LOAD_BYTES = 111_500;
/** Parts of many pages that need no library: they are one file, because the first one names every later one. */
const SMALL_PARTS =
  /\/web\/(?:.*\.ts|form-rules\.json|components\/(?!dialog|markdown|menu|tabs|virtual-list)[\w-]+\.tsx)$/;
const COMPRESSIBLE = /\.(?:html|js|css|svg)$/;

export default defineConfig({
  root: 'web',
  cacheDir: join(import.meta.dirname, 'node_modules', '.cache', 'vite'),
  plugins: [react(), tailwind(), compressed()],
  // React itself has what the shim brings to versions before 18.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  build: {
    outDir: OUT_DIR,
    emptyOutDir: true,
    // Inlined files would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What a first visit needs compresses better in one file than in the many that are shared with later ones.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'parts', test: SMALL_PARTS, minShareCount: 3, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { proxy: { '/app/api': `http://127.0.0.1:${process.env['SVC_PORT'] ?? '4000'}` } },
});

/** Writes a Brotli copy beside every text file, prints what a first visit transfers, and fails when that is too much. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      const sizes = new Map(readdirSync(OUT_DIR, { recursive: true, encoding: 'utf8' }).flatMap(compress));
      const page = readFileSync(join(OUT_DIR, 'index.html'), 'utf8');
      const first = ['index.html', ...[...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file)];
      const total = first.reduce((bytes, file) => bytes + (sizes.get(file) ?? 0), 0);
      for (const [file, bytes] of [...sizes].toSorted(([, a], [, b]) => b - a)) {
        this.info(`${first.includes(file) ? 'first' : 'later'} ${kilobytes(bytes).padStart(9)} ${file}`);
      }
      this.info(`first load: ${kilobytes(total)} (Brotli) of at most ${kilobytes(FIRST_LOAD_BYTES)}`);
      if (total > FIRST_LOAD_BYTES)
        this.error('The first load is too large: load what a first visit does not show later.');
    },
  };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function compress(file: string): [string, number][] {
  if (!COMPRESSIBLE.test(file)) return [];
  const path = join(OUT_DIR, file);
  // What is not bundled is copied as it was written.
  if (file === 'start.js') writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/^\s*\/\/.*\n/gm, ''));
  const content = readFileSync(path);
  const small = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  writeFileSync(join(OUT_DIR, `${file}.br`), small);
  return [[file, small.length]];
}

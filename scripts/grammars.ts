/**
 * Fetches the pinned tree-sitter grammars into `grammars/`: `node scripts/grammars.ts`.
 *
 * The packages unpack to 405 MB of prebuilt binaries and C sources, of which the service needs a few WASM files, so they
 * are no dependencies: this takes the WASM and the licence out of each and writes down what they are.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';

interface Grammar {
  language: string;
  package: string;
  version: string;
  /** Path of the WASM in the package, when it is not at its top under the package's name. */
  wasm?: string;
  /** The package with the sources that the WASM was built from, when it is another one: its licence is the grammar's. */
  source?: { package: string; version: string };
}

const GRAMMARS: readonly Grammar[] = [
  { language: 'bash', package: 'tree-sitter-bash', version: '0.25.1' },
  { language: 'cpp', package: 'tree-sitter-cpp', version: '0.23.4' },
  { language: 'csharp', package: 'tree-sitter-c-sharp', version: '0.23.5', wasm: 'tree-sitter-c_sharp.wasm' },
  { language: 'go', package: 'tree-sitter-go', version: '0.25.0' },
  { language: 'java', package: 'tree-sitter-java', version: '0.23.5' },
  {
    language: 'kotlin',
    package: '@tree-sitter-grammars/tree-sitter-kotlin',
    version: '1.1.0',
    wasm: 'tree-sitter-kotlin.wasm',
  },
  { language: 'php', package: 'tree-sitter-php', version: '0.24.2' },
  { language: 'python', package: 'tree-sitter-python', version: '0.25.0' },
  { language: 'ruby', package: 'tree-sitter-ruby', version: '0.23.1' },
  { language: 'rust', package: 'tree-sitter-rust', version: '0.24.0' },
  { language: 'scala', package: 'tree-sitter-scala', version: '0.24.0' },
  {
    language: 'swift',
    package: '@repomix/tree-sitter-wasms',
    version: '0.1.17',
    wasm: 'out/tree-sitter-swift.wasm',
    source: { package: 'tree-sitter-swift', version: '0.7.1' },
  },
];

const target = join(import.meta.dirname, '..', 'grammars');
const scratch = mkdtempSync(join(tmpdir(), 'grammars-'));
try {
  await Parser.init();
  const manifest = [];
  for (const grammar of GRAMMARS) {
    const { wasm = `${grammar.package}.wasm`, source = grammar, ...entry } = grammar;
    const file = join(target, `${grammar.language}.wasm`);
    copyFileSync(unpack(grammar, wasm), file);
    copyFileSync(unpack(source, 'LICENSE'), join(target, `${grammar.language}.LICENSE`));
    const bytes = readFileSync(file);
    const { abiVersion } = await Language.load(bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    manifest.push({ ...entry, license: 'MIT', sha256, sizeBytes: bytes.length, abi: abiVersion });
    console.log(`${grammar.language}: ${grammar.package}@${grammar.version}, ${bytes.length} bytes`);
  }
  writeFileSync(join(target, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
} finally {
  rmSync(scratch, { recursive: true });
}

/** Takes one file out of a pinned package and gives where it is now. */
function unpack({ package: name, version }: Pick<Grammar, 'package' | 'version'>, file: string): string {
  const archive = execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', scratch], {
    encoding: 'utf8',
  });
  execFileSync('tar', ['-xzf', join(scratch, archive.trim()), '-C', scratch, `package/${file}`]);
  return join(scratch, 'package', file);
}

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

const GRAMMARS = [
  { language: 'go', package: 'tree-sitter-go', version: '0.25.0' },
  { language: 'java', package: 'tree-sitter-java', version: '0.23.5' },
  { language: 'python', package: 'tree-sitter-python', version: '0.25.0' },
  { language: 'rust', package: 'tree-sitter-rust', version: '0.24.0' },
];

const target = join(import.meta.dirname, '..', 'grammars');
const scratch = mkdtempSync(join(tmpdir(), 'grammars-'));
try {
  await Parser.init();
  const manifest = [];
  for (const grammar of GRAMMARS) {
    const specifier = `${grammar.package}@${grammar.version}`;
    const archive = execFileSync('npm', ['pack', specifier, '--silent', '--pack-destination', scratch], {
      encoding: 'utf8',
    });
    const wasm = `package/${grammar.package}.wasm`;
    execFileSync('tar', ['-xzf', join(scratch, archive.trim()), '-C', scratch, wasm, 'package/LICENSE']);
    const file = join(target, `${grammar.language}.wasm`);
    copyFileSync(join(scratch, wasm), file);
    copyFileSync(join(scratch, 'package/LICENSE'), join(target, `${grammar.language}.LICENSE`));
    const bytes = readFileSync(file);
    const { abiVersion } = await Language.load(bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    manifest.push({ ...grammar, license: 'MIT', sha256, sizeBytes: bytes.length, abi: abiVersion });
    console.log(`${grammar.language}: ${specifier}, ${bytes.length} bytes`);
  }
  writeFileSync(join(target, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
} finally {
  rmSync(scratch, { recursive: true });
}

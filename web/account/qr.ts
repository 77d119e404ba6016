/**
 * QR codes after ISO/IEC 18004: bytes, error correction M, versions 1 to 9, mask 0. Scanners read every mask; the choice of
 * the prettiest is left out.
 */

interface Version {
  /** Data codewords of each block. */
  blocks: readonly number[];
  correctionCodewords: number;
  /** Centres of the alignment patterns, on both axes. */
  alignment: readonly number[];
}

/** Table 9 and annex E of the standard, level M. The first is version 1. */
const VERSIONS: readonly Version[] = [
  { blocks: [16], correctionCodewords: 10, alignment: [] },
  { blocks: [28], correctionCodewords: 16, alignment: [6, 18] },
  { blocks: [44], correctionCodewords: 26, alignment: [6, 22] },
  { blocks: [32, 32], correctionCodewords: 18, alignment: [6, 26] },
  { blocks: [43, 43], correctionCodewords: 24, alignment: [6, 30] },
  { blocks: [27, 27, 27, 27], correctionCodewords: 16, alignment: [6, 34] },
  { blocks: [31, 31, 31, 31], correctionCodewords: 18, alignment: [6, 22, 38] },
  { blocks: [38, 38, 39, 39], correctionCodewords: 22, alignment: [6, 24, 42] },
  { blocks: [36, 36, 36, 37, 37], correctionCodewords: 22, alignment: [6, 26, 46] },
];

/** Mode and length take 12 bits before the data. */
const HEADER_BITS = 12;
const BYTE_MODE = 0b0100;
const PADDING = [0xec, 0x11] as const;
/** Level M with mask 0, with its check bits (annex C). */
const FORMAT_BITS = 0b101010000010010;
/** Versions from here say so in the symbol. */
const FIRST_WITH_VERSION = 7;
const VERSION_GENERATOR = 0b1111100100101;

/** Rows of modules, true is dark; undefined when the text is longer than 180 bytes. */
export function qrModules(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text);
  const index = VERSIONS.findIndex(({ blocks }) => bytes.length * 8 + HEADER_BITS <= sum(blocks) * 8);
  const version = VERSIONS[index];
  if (version === undefined) return undefined;
  const grid = new Grid(index + 1);
  drawFunctionPatterns(grid, version);
  drawData(grid, codewords(bytes, version));
  return grid.rows();
}

/** Modules that are set, and which of them belong to patterns that data must not touch. */
class Grid {
  readonly version: number;
  readonly size: number;
  readonly #dark: Uint8Array;
  readonly #taken: Uint8Array;

  constructor(version: number) {
    this.version = version;
    this.size = 17 + 4 * version;
    this.#dark = new Uint8Array(this.size * this.size);
    this.#taken = new Uint8Array(this.size * this.size);
  }

  set(row: number, column: number, isDark: boolean): void {
    if (row < 0 || column < 0 || row >= this.size || column >= this.size) return;
    this.#dark[row * this.size + column] = isDark ? 1 : 0;
    this.#taken[row * this.size + column] = 1;
  }

  isTaken(row: number, column: number): boolean {
    return this.#taken[row * this.size + column] === 1;
  }

  rows(): boolean[][] {
    return Array.from({ length: this.size }, (_, row) =>
      Array.from(this.#dark.subarray(row * this.size, (row + 1) * this.size), (module) => module === 1),
    );
  }
}

function drawFunctionPatterns(grid: Grid, { alignment }: Version): void {
  const last = grid.size - 7;
  for (let at = 0; at < grid.size; at++) {
    grid.set(6, at, at % 2 === 0);
    grid.set(at, 6, at % 2 === 0);
  }
  for (const [row, column] of [
    [3, 3],
    [3, last + 3],
    [last + 3, 3],
  ] as const) {
    drawRings(grid, { row, column }, 4);
  }
  for (const row of alignment) {
    for (const column of alignment) {
      const isFinder = (row === 6 && column === 6) || (row === 6 && column === last) || (row === last && column === 6);
      if (!isFinder) drawRings(grid, { row, column }, 2);
    }
  }
  drawFormat(grid);
  if (grid.version >= FIRST_WITH_VERSION) drawVersion(grid);
}

/** Squares in squares: a finder pattern with its light border (radius 4) or an alignment pattern (radius 2). */
function drawRings(grid: Grid, centre: { row: number; column: number }, radius: number): void {
  for (let down = -radius; down <= radius; down++) {
    for (let right = -radius; right <= radius; right++) {
      const ring = Math.max(Math.abs(down), Math.abs(right));
      const isLight = radius === 4 ? ring === 2 || ring === 4 : ring === 1;
      grid.set(centre.row + down, centre.column + right, !isLight);
    }
  }
}

function drawFormat(grid: Grid): void {
  for (let index = 0; index < 15; index++) {
    const isDark = ((FORMAT_BITS >> index) & 1) === 1;
    const along = index < 6 ? index : index < 8 ? index + 1 : grid.size - 15 + index;
    grid.set(along, 8, isDark);
    const across = index < 8 ? grid.size - 1 - index : index === 8 ? 7 : 14 - index;
    grid.set(8, across, isDark);
  }
  grid.set(grid.size - 8, 8, true);
}

function drawVersion(grid: Grid): void {
  let rest = grid.version << 12;
  for (let bit = 17; bit >= 12; bit--) if ((rest >> bit) & 1) rest ^= VERSION_GENERATOR << (bit - 12);
  const bits = (grid.version << 12) | rest;
  for (let index = 0; index < 18; index++) {
    const isDark = ((bits >> index) & 1) === 1;
    const [near, far] = [Math.floor(index / 3), grid.size - 11 + (index % 3)];
    grid.set(near, far, isDark);
    grid.set(far, near, isDark);
  }
}

/** In pairs of columns from the right, up and down in turn, under mask 0. */
function drawData(grid: Grid, data: readonly number[]): void {
  let next = 0;
  let isUpward = true;
  for (let right = grid.size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < grid.size; step++) {
      const row = isUpward ? grid.size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (grid.isTaken(row, column)) continue;
        const bit = ((data[next >> 3] ?? 0) >> (7 - (next & 7))) & 1;
        grid.set(row, column, (bit === 1) !== ((row + column) % 2 === 0));
        next++;
      }
    }
    isUpward = !isUpward;
  }
}

/** Data with padding, in blocks with their correction, interleaved. */
function codewords(bytes: Uint8Array, { blocks, correctionCodewords }: Version): number[] {
  const capacity = sum(blocks);
  const nibbles = [
    BYTE_MODE,
    bytes.length >> 4,
    bytes.length & 15,
    ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]),
    0,
  ];
  const data: number[] = [];
  for (let at = 0; at < nibbles.length; at += 2) data.push(((nibbles[at] ?? 0) << 4) | (nibbles[at + 1] ?? 0));
  for (let pad = 0; data.length < capacity; pad++) data.push(PADDING[pad % 2 === 0 ? 0 : 1]);
  let start = 0;
  const parts = blocks.map((length) => data.slice(start, (start += length)));
  const corrections = parts.map((part) => correction(part, correctionCodewords));
  return [...interleave(parts), ...interleave(corrections)];
}

function interleave(parts: readonly number[][]): number[] {
  const longest = Math.max(...parts.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => parts.flatMap((part) => part.slice(at, at + 1))).flat();
}

/** Reed-Solomon over GF(256), polynomial 0x11d. */
function correction(data: readonly number[], length: number): number[] {
  let generator = [1];
  for (let root = 1, degree = 0; degree < length; degree++, root = times(root, 2)) {
    generator = [...generator, 0].map((factor, at) => factor ^ times(generator[at - 1] ?? 0, root));
  }
  let remainder = Array.from({ length }, () => 0);
  for (const codeword of data) {
    const factor = codeword ^ (remainder[0] ?? 0);
    remainder = [...remainder.slice(1), 0].map((value, at) => value ^ times(generator[at + 1] ?? 0, factor));
  }
  return remainder;
}

function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product & 0x80 ? 0x11d : 0);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

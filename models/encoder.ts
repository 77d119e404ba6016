/**
 * The arithmetic of the sentence encoder, in AssemblyScript. `scripts/models.ts` compiles it to `encoder.wasm`;
 * `src/text/encoder/transformer.ts` lays out the memory and calls these functions layer by layer.
 *
 * All arguments are addresses of the imported memory and sizes. Vectors are 32-bit floats, four at a time by SIMD of
 * fixed width, so every machine computes the same bits. Weights are rows of Q4_0 blocks in the file (32 values of 4 bits
 * and a scale of 16 bits, 18 bytes): the word table stays so, matrices are expanded to rows of 8-bit integers at load.
 * Inputs of a matrix product are quantised to 12 bits and a sign, so that the sums of products fit 32 bits.
 */

/** Values of a Q4_0 block, its bytes, and where its values begin behind the scale. */
const BLOCK_VALUES: i32 = 32;
const BLOCK_BYTES: i32 = 18;
const BLOCK_SCALE_BYTES: i32 = 2;

/** Largest quantised input of a matrix product. */
const LARGEST_INPUT: f32 = 4095;
const LARGEST_WEIGHT: f32 = 127;

/** Components of an attention head, in bytes, and one over the root of their number. */
const HEAD_BYTES: i32 = 128;
const HEAD_SCALE: f32 = 0.17677669529;

const NORM_EPSILON: f64 = 1e-12;

/** Expands a matrix of Q4_0 blocks to rows of 8-bit integers with one scale a row. */
export function expand(source: usize, rows: i32, columns: i32, target: usize, scales: usize): void {
  const blocks = columns / BLOCK_VALUES;
  for (let row = 0; row < rows; row++) {
    const from = source + row * blocks * BLOCK_BYTES;
    const scale = largestOf(from, blocks) / LARGEST_WEIGHT;
    store<f32>(scales + 4 * row, scale);
    for (let block = 0; block < blocks; block++) {
      const at = from + block * BLOCK_BYTES;
      const factor = halfToFloat(load<u16>(at)) / scale;
      const to = target + row * columns + block * BLOCK_VALUES;
      for (let pair = 0; pair < BLOCK_VALUES / 2; pair++) {
        const nibbles = load<u8>(at + BLOCK_SCALE_BYTES + pair);
        store<i8>(to + pair, <i8>nearest(lowValue(nibbles) * factor));
        store<i8>(to + pair + BLOCK_VALUES / 2, <i8>nearest(highValue(nibbles) * factor));
      }
    }
  }
}

/** Largest absolute value of a row of Q4_0 blocks. */
function largestOf(row: usize, blocks: i32): f32 {
  let largest: f32 = 1e-9;
  for (let block = 0; block < blocks; block++) {
    const at = row + block * BLOCK_BYTES;
    const scale = abs(halfToFloat(load<u16>(at)));
    for (let pair = 0; pair < BLOCK_VALUES / 2; pair++) {
      const nibbles = load<u8>(at + BLOCK_SCALE_BYTES + pair);
      largest = max(largest, max(abs(lowValue(nibbles)), abs(highValue(nibbles))) * scale);
    }
  }
  return largest;
}

/** Writes the sum of the word and the position of each token: `tokens` rows of `size` floats. */
export function embed(ids: usize, words: usize, positions: usize, output: usize, tokens: i32, size: i32): void {
  const blocks = size / BLOCK_VALUES;
  for (let token = 0; token < tokens; token++) {
    const row = words + load<i32>(ids + 4 * token) * blocks * BLOCK_BYTES;
    const position = positions + token * size * 4;
    const to = output + token * size * 4;
    for (let block = 0; block < blocks; block++) {
      const at = row + block * BLOCK_BYTES;
      const scale = halfToFloat(load<u16>(at));
      for (let pair = 0; pair < BLOCK_VALUES / 2; pair++) {
        const nibbles = load<u8>(at + BLOCK_SCALE_BYTES + pair);
        const low = 4 * (block * BLOCK_VALUES + pair);
        const high = low + 2 * BLOCK_VALUES;
        store<f32>(to + low, lowValue(nibbles) * scale + load<f32>(position + low));
        store<f32>(to + high, highValue(nibbles) * scale + load<f32>(position + high));
      }
    }
  }
}

function lowValue(nibbles: u8): f32 {
  return <f32>(<i32>(nibbles & 15) - 8);
}

function highValue(nibbles: u8): f32 {
  return <f32>(<i32>(nibbles >> 4) - 8);
}

/** A float of 16 bits (IEEE 754); scales of weights are neither infinite nor NaN. */
function halfToFloat(half: u32): f32 {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent == 0) {
    const subnormal = <f32>fraction * <f32>5.9604644775390625e-8;
    return sign ? -subnormal : subnormal;
  }
  return reinterpret<f32>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

/** Adds `added` (none when 0) to rows and brings each row to mean 0 and variance 1, times `weights` plus `biases`. */
export function normalize(rows: usize, added: usize, weights: usize, biases: usize, count: i32, size: i32): void {
  const bytes = size * 4;
  for (let index = 0; index < count; index++) {
    const row = rows + index * bytes;
    let sum = f32x4.splat(0);
    for (let at = 0; at < bytes; at += 16) {
      let value = v128.load(row + at);
      if (added) value = f32x4.add(value, v128.load(added + index * bytes + at));
      v128.store(row + at, value);
      sum = f32x4.add(sum, value);
    }
    const mean = f32x4.splat(sumOf(sum) / <f32>size);
    let squares = f32x4.splat(0);
    for (let at = 0; at < bytes; at += 16) {
      const difference = f32x4.sub(v128.load(row + at), mean);
      squares = f32x4.add(squares, f32x4.mul(difference, difference));
    }
    const variance = <f64>(sumOf(squares) / <f32>size);
    const factor = f32x4.splat(<f32>(1 / Math.sqrt(variance + NORM_EPSILON)));
    for (let at = 0; at < bytes; at += 16) {
      const scaled = f32x4.mul(f32x4.sub(v128.load(row + at), mean), factor);
      v128.store(row + at, f32x4.add(f32x4.mul(scaled, v128.load(weights + at)), v128.load(biases + at)));
    }
  }
}

/** Quantises rows of floats to 16-bit integers of at most `LARGEST_INPUT`, with one scale a row. */
export function quantize(rows: usize, target: usize, scales: usize, count: i32, size: i32): void {
  for (let index = 0; index < count; index++) {
    const row = rows + index * size * 4;
    let largest = f32x4.splat(1e-9);
    for (let at = 0; at < size * 4; at += 16) largest = f32x4.max(largest, f32x4.abs(v128.load(row + at)));
    const most = max(
      max(f32x4.extract_lane(largest, 0), f32x4.extract_lane(largest, 1)),
      max(f32x4.extract_lane(largest, 2), f32x4.extract_lane(largest, 3)),
    );
    store<f32>(scales + 4 * index, most / LARGEST_INPUT);
    const factor = f32x4.splat(LARGEST_INPUT / most);
    const to = target + index * size * 2;
    for (let at = 0; at < size * 4; at += 32) {
      const low = roundedProduct(v128.load(row + at), factor);
      const high = roundedProduct(v128.load(row + at + 16), factor);
      v128.store(to + (at >> 1), i16x8.narrow_i32x4_s(low, high));
    }
  }
}

function roundedProduct(values: v128, factor: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(values, factor)));
}

/**
 * Product of quantised rows (`count` rows of `size` 16-bit integers) and weights (`outputs` rows of `size` 8-bit integers),
 * plus biases: `count` rows of `outputs` floats. `count` and `outputs` are multiples of 4, `size` of 8: each step computes a
 * tile of 4 by 4 results.
 */
export function multiply(
  inputs: usize,
  inputScales: usize,
  weights: usize,
  weightScales: usize,
  biases: usize,
  output: usize,
  count: i32,
  outputs: i32,
  size: i32,
): void {
  const inputBytes = size * 2;
  for (let n = 0; n < outputs; n += 4) {
    const w0 = weights + <usize>(n * size);
    const w1 = w0 + size;
    const w2 = w1 + size;
    const w3 = w2 + size;
    const scales = v128.load(weightScales + 4 * n);
    const bias = v128.load(biases + 4 * n);
    for (let m = 0; m < count; m += 4) {
      const x0 = inputs + <usize>(m * inputBytes);
      const x1 = x0 + inputBytes;
      const x2 = x1 + inputBytes;
      const x3 = x2 + inputBytes;
      let s00 = i32x4.splat(0),
        s01 = s00,
        s02 = s00,
        s03 = s00;
      let s10 = s00,
        s11 = s00,
        s12 = s00,
        s13 = s00;
      let s20 = s00,
        s21 = s00,
        s22 = s00,
        s23 = s00;
      let s30 = s00,
        s31 = s00,
        s32 = s00,
        s33 = s00;
      for (let k: i32 = 0; k < size; k += 8) {
        const b0 = v128.load_ext<i8>(w0 + k);
        const b1 = v128.load_ext<i8>(w1 + k);
        const b2 = v128.load_ext<i8>(w2 + k);
        const b3 = v128.load_ext<i8>(w3 + k);
        let a = v128.load(x0 + 2 * k);
        s00 = i32x4.add(s00, i32x4.dot_i16x8_s(a, b0));
        s01 = i32x4.add(s01, i32x4.dot_i16x8_s(a, b1));
        s02 = i32x4.add(s02, i32x4.dot_i16x8_s(a, b2));
        s03 = i32x4.add(s03, i32x4.dot_i16x8_s(a, b3));
        a = v128.load(x1 + 2 * k);
        s10 = i32x4.add(s10, i32x4.dot_i16x8_s(a, b0));
        s11 = i32x4.add(s11, i32x4.dot_i16x8_s(a, b1));
        s12 = i32x4.add(s12, i32x4.dot_i16x8_s(a, b2));
        s13 = i32x4.add(s13, i32x4.dot_i16x8_s(a, b3));
        a = v128.load(x2 + 2 * k);
        s20 = i32x4.add(s20, i32x4.dot_i16x8_s(a, b0));
        s21 = i32x4.add(s21, i32x4.dot_i16x8_s(a, b1));
        s22 = i32x4.add(s22, i32x4.dot_i16x8_s(a, b2));
        s23 = i32x4.add(s23, i32x4.dot_i16x8_s(a, b3));
        a = v128.load(x3 + 2 * k);
        s30 = i32x4.add(s30, i32x4.dot_i16x8_s(a, b0));
        s31 = i32x4.add(s31, i32x4.dot_i16x8_s(a, b1));
        s32 = i32x4.add(s32, i32x4.dot_i16x8_s(a, b2));
        s33 = i32x4.add(s33, i32x4.dot_i16x8_s(a, b3));
      }
      const to = output + <usize>(4 * (m * outputs + n));
      const rowBytes = 4 * outputs;
      const inputScale = inputScales + 4 * m;
      storeResults(to, sumsOf(s00, s01, s02, s03), scales, bias, load<f32>(inputScale));
      storeResults(to + rowBytes, sumsOf(s10, s11, s12, s13), scales, bias, load<f32>(inputScale + 4));
      storeResults(to + 2 * rowBytes, sumsOf(s20, s21, s22, s23), scales, bias, load<f32>(inputScale + 8));
      storeResults(to + 3 * rowBytes, sumsOf(s30, s31, s32, s33), scales, bias, load<f32>(inputScale + 12));
    }
  }
}

/** The sums of the lanes of four vectors, one a lane. */
function sumsOf(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(i32x4.shuffle(c, d, 0, 4, 1, 5), i32x4.shuffle(c, d, 2, 6, 3, 7));
  return i32x4.add(i32x4.shuffle(ab, cd, 0, 1, 4, 5), i32x4.shuffle(ab, cd, 2, 3, 6, 7));
}

function storeResults(target: usize, sums: v128, scales: v128, bias: v128, inputScale: f32): void {
  const scaled = f32x4.mul(f32x4.convert_i32x4_s(sums), f32x4.mul(scales, f32x4.splat(inputScale)));
  v128.store(target, f32x4.add(scaled, bias));
}

/**
 * Self-attention with heads of 32 components: `projected` has the query, key and value of each token one behind another.
 * `shares` has room for the number of tokens and four more.
 */
export function attend(projected: usize, output: usize, shares: usize, tokens: i32, size: i32): void {
  const rowBytes = 12 * size;
  for (let head = 0; head < size / 32; head++) {
    const query = projected + head * HEAD_BYTES;
    const keys = query + 4 * size;
    const values = query + 8 * size;
    for (let token = 0; token < tokens; token++) {
      const total = attentionShares(query + token * rowBytes, keys, shares, tokens, rowBytes);
      const to = output + token * 4 * size + head * HEAD_BYTES;
      sumValues(values, shares, to, tokens, rowBytes, 1 / total);
    }
  }
}

/** Writes the exponentials of the products of a query with all keys, less the largest, and returns their sum. */
function attentionShares(query: usize, keys: usize, shares: usize, tokens: i32, rowBytes: i32): f32 {
  const scale = f32x4.splat(HEAD_SCALE);
  const q0 = f32x4.mul(v128.load(query), scale);
  const q1 = f32x4.mul(v128.load(query + 16), scale);
  const q2 = f32x4.mul(v128.load(query + 32), scale);
  const q3 = f32x4.mul(v128.load(query + 48), scale);
  const q4 = f32x4.mul(v128.load(query + 64), scale);
  const q5 = f32x4.mul(v128.load(query + 80), scale);
  const q6 = f32x4.mul(v128.load(query + 96), scale);
  const q7 = f32x4.mul(v128.load(query + 112), scale);
  let largest: f32 = -1e30;
  for (let other = 0, key = keys; other < tokens; other++, key += rowBytes) {
    const p01 = f32x4.add(f32x4.mul(q0, v128.load(key)), f32x4.mul(q1, v128.load(key + 16)));
    const p23 = f32x4.add(f32x4.mul(q2, v128.load(key + 32)), f32x4.mul(q3, v128.load(key + 48)));
    const p45 = f32x4.add(f32x4.mul(q4, v128.load(key + 64)), f32x4.mul(q5, v128.load(key + 80)));
    const p67 = f32x4.add(f32x4.mul(q6, v128.load(key + 96)), f32x4.mul(q7, v128.load(key + 112)));
    const product = sumOf(f32x4.add(f32x4.add(p01, p23), f32x4.add(p45, p67)));
    store<f32>(shares + 4 * other, product);
    largest = max(largest, product);
  }
  for (let other = tokens; other & 3; other++) store<f32>(shares + 4 * other, -1e30);
  let total = f32x4.splat(0);
  for (let other = 0; other < tokens; other += 4) {
    const share = exponential(f32x4.sub(v128.load(shares + 4 * other), f32x4.splat(largest)));
    v128.store(shares + 4 * other, share);
    total = f32x4.add(total, share);
  }
  return sumOf(total);
}

/** Writes the sum of the values of all tokens by their shares. */
function sumValues(values: usize, shares: usize, target: usize, tokens: i32, rowBytes: i32, scale: f32): void {
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0,
    s4 = s0,
    s5 = s0,
    s6 = s0,
    s7 = s0;
  for (let other = 0, value = values; other < tokens; other++, value += rowBytes) {
    const share = f32x4.splat(load<f32>(shares + 4 * other));
    s0 = f32x4.add(s0, f32x4.mul(share, v128.load(value)));
    s1 = f32x4.add(s1, f32x4.mul(share, v128.load(value + 16)));
    s2 = f32x4.add(s2, f32x4.mul(share, v128.load(value + 32)));
    s3 = f32x4.add(s3, f32x4.mul(share, v128.load(value + 48)));
    s4 = f32x4.add(s4, f32x4.mul(share, v128.load(value + 64)));
    s5 = f32x4.add(s5, f32x4.mul(share, v128.load(value + 80)));
    s6 = f32x4.add(s6, f32x4.mul(share, v128.load(value + 96)));
    s7 = f32x4.add(s7, f32x4.mul(share, v128.load(value + 112)));
  }
  const factor = f32x4.splat(scale);
  v128.store(target, f32x4.mul(s0, factor));
  v128.store(target + 16, f32x4.mul(s1, factor));
  v128.store(target + 32, f32x4.mul(s2, factor));
  v128.store(target + 48, f32x4.mul(s3, factor));
  v128.store(target + 64, f32x4.mul(s4, factor));
  v128.store(target + 80, f32x4.mul(s5, factor));
  v128.store(target + 96, f32x4.mul(s6, factor));
  v128.store(target + 112, f32x4.mul(s7, factor));
}

/** GELU in place, by the error function (Abramowitz and Stegun 7.1.26). `count` is a multiple of 4. */
export function gelu(values: usize, count: i32): void {
  for (let at = 0; at < count * 4; at += 16) {
    const value = v128.load(values + at);
    const scaled = f32x4.mul(f32x4.abs(value), f32x4.splat(0.70710678));
    const t = f32x4.div(f32x4.splat(1), f32x4.add(f32x4.splat(1), f32x4.mul(scaled, f32x4.splat(0.3275911))));
    let tail = f32x4.splat(1.061405429);
    tail = f32x4.add(f32x4.mul(tail, t), f32x4.splat(-1.453152027));
    tail = f32x4.add(f32x4.mul(tail, t), f32x4.splat(1.421413741));
    tail = f32x4.add(f32x4.mul(tail, t), f32x4.splat(-0.284496736));
    tail = f32x4.add(f32x4.mul(tail, t), f32x4.splat(0.254829592));
    tail = f32x4.mul(tail, t);
    const error = f32x4.sub(f32x4.splat(1), f32x4.mul(tail, exponential(f32x4.neg(f32x4.mul(scaled, scaled)))));
    const signed = v128.bitselect(f32x4.neg(error), error, f32x4.lt(value, f32x4.splat(0)));
    v128.store(values + at, f32x4.mul(f32x4.mul(value, f32x4.splat(0.5)), f32x4.add(f32x4.splat(1), signed)));
  }
}

/** The exponential of four floats: a power of two by the exponent bits, and a polynomial for the remainder (Cephes). */
function exponential(values: v128): v128 {
  const x = f32x4.max(f32x4.min(values, f32x4.splat(88)), f32x4.splat(-87));
  const power = f32x4.nearest(f32x4.mul(x, f32x4.splat(1.44269504)));
  const whole = f32x4.sub(x, f32x4.mul(power, f32x4.splat(0.693359375)));
  const r = f32x4.add(whole, f32x4.mul(power, f32x4.splat(2.1219444e-4)));
  let sum = f32x4.splat(1.98756915e-4);
  sum = f32x4.add(f32x4.mul(sum, r), f32x4.splat(1.3981999507e-3));
  sum = f32x4.add(f32x4.mul(sum, r), f32x4.splat(8.3334519073e-3));
  sum = f32x4.add(f32x4.mul(sum, r), f32x4.splat(4.1665795894e-2));
  sum = f32x4.add(f32x4.mul(sum, r), f32x4.splat(1.6666665459e-1));
  sum = f32x4.add(f32x4.mul(sum, r), f32x4.splat(5.0000001201e-1));
  const result = f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(sum, r), r), r), f32x4.splat(1));
  return f32x4.mul(result, i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(power), i32x4.splat(127)), 23));
}

function sumOf(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3);
}

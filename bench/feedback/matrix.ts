/** Row after row. */
export type Matrix = Float64Array[];

export function zeros(rows: number, columns: number): Matrix {
  return Array.from({ length: rows }, () => new Float64Array(columns));
}

/** Rounds over all pairs: far more than a matrix of a hundred rows needs. */
const SWEEPS = 14;
const TINY = 1e-13;

/** Eigenvalues and eigenvectors (columns of `vectors`) of a symmetric matrix, largest value first (Jacobi's method). */
export function eigen(symmetric: Matrix): { values: number[]; vectors: Matrix } {
  const size = symmetric.length;
  const a = symmetric.map((row) => row.slice());
  const v = zeros(size, size);
  for (let at = 0; at < size; at += 1) set(v, at, at, 1);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1)
    for (let p = 0; p < size; p += 1) for (let q = p + 1; q < size; q += 1) rotate(a, v, p, q);
  const order = [...a.keys()].toSorted((left, right) => get(a, right, right) - get(a, left, left));
  return {
    values: order.map((at) => get(a, at, at)),
    vectors: v.map((row) => Float64Array.from(order, (at) => row[at] ?? 0)),
  };
}

/** Makes the place (p, q) zero. */
function rotate(a: Matrix, v: Matrix, p: number, q: number): void {
  const off = get(a, p, q);
  if (Math.abs(off) < TINY) return;
  const theta = (get(a, q, q) - get(a, p, p)) / (2 * off);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(t * t + 1);
  const sine = t * cosine;
  for (const rows of [a, v])
    for (let k = 0; k < a.length; k += 1) {
      const [x, y] = [get(rows, k, p), get(rows, k, q)];
      set(rows, k, p, cosine * x - sine * y);
      set(rows, k, q, sine * x + cosine * y);
    }
  for (let k = 0; k < a.length; k += 1) {
    const [x, y] = [get(a, p, k), get(a, q, k)];
    set(a, p, k, cosine * x - sine * y);
    set(a, q, k, sine * x + cosine * y);
  }
}

function get(matrix: Matrix, row: number, column: number): number {
  return matrix[row]?.[column] ?? 0;
}

function set(matrix: Matrix, row: number, column: number, value: number): void {
  const values = matrix[row];
  if (values !== undefined) values[column] = value;
}

/** Leading digits an axis may end on. */
const STEPS = [1, 1.2, 1.4, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** The even number the axis ends on: the smallest readable one that holds the peak. */
export function axisEnd(peak: number): number {
  const scale = 10 ** Math.floor(Math.log10(Math.max(peak, 2)));
  const fitting = STEPS.map((step) => Math.round(step * scale)).find((end) => end >= peak && end % 2 === 0);
  return fitting ?? scale * 10;
}

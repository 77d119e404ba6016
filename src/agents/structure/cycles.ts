import { filePlace } from '../gather/code.ts';
import { isInScope } from '../gather/scope.ts';
import { importLine } from '../gather/depending-line.ts';
import { findCycles, headOf } from '../gather/structure.ts';
import { listNames, type Paragraph } from '../prose/prose.ts';
import { cycleSentence } from '../prose/structure.ts';
import { asks } from '../question/kinds.ts';
import type { Inquiry } from './inquiry.ts';
import { tellPackageCycles } from './packages.ts';

/** Files of a circle between which imports are looked for, and imports that are cited. */
const MOST_LINKED = 4;
const MOST_LINES = 2;

/** Circles of imports at run time, through what a question names; how many are closed by imports of types alone is said beside them. */
export async function tellCycles(inquiry: Inquiry): Promise<Paragraph[]> {
  const { tools, question, cite, most, notes, absent, scope, named: of } = inquiry;
  if (of.length === 0 && scope === undefined && asks('ofPackages', question.words)) {
    const circles = await tellPackageCycles(inquiry);
    if (circles !== undefined) return circles;
  }
  const { repo, rows, ofTypes } = await findCycles(tools);
  const paths = of.map(({ path }) => path);
  const own = rows.filter(({ files }) => files.some((path) => isInScope(scope, path)));
  const chosen = paths.length === 0 ? own : rows.filter(({ files }) => paths.some((path) => files.includes(path)));
  if (chosen.length === 0) {
    const part = paths.length === 0 ? scope?.name : listNames(paths, 2);
    const none =
      part === undefined ? 'No files import each other in a circle' : `No circle of imports goes through ${part}`;
    absent.push(
      ofTypes === ''
        ? `${none}.`
        : `${none} at run time; by imports of types alone there are ${ofTypes} in all of the repository.`,
    );
    return [];
  }
  if (ofTypes !== '') notes.push(`not counted are those that imports of types alone close: ${ofTypes}`);
  const isYes = asks('whether', question.words);
  const sentences = await Promise.all(
    chosen.slice(0, most).map(async (cycle, at) => {
      const near = cycle.files.slice(0, MOST_LINKED);
      const pairs = near.flatMap((from) => near.filter((to) => to !== from).map((to) => ({ from, to })));
      const lines = await Promise.all(pairs.map(({ from, to }) => importLine(tools, from, to)));
      const known = lines.flatMap((line) =>
        line === undefined ? [] : [filePlace(repo, line.path, line.line, line.text)],
      );
      const [head] = known.length > 0 ? [] : [await headOf(tools, repo, cycle.path, cycle.line)];
      const told = cycleSentence(cite, cycle, head === undefined ? known.slice(0, MOST_LINES) : [head]);
      return isYes && at === 0 ? { ...told, text: `Yes: ${told.text}` } : told;
    }),
  );
  const lines = sentences.filter(({ sources }) => sources.length > 0);
  if (chosen.length > lines.length) notes.push(`${chosen.length} circles in all`);
  return [{ sentences: lines, isList: lines.length > 1 }];
}

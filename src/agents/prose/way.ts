import type { WayStep } from '../gather/way.ts';
import { lastPart } from '../gather/around.ts';
import { callLine, beginningOf, docLines } from './code.ts';
import type { Citer } from './cite.ts';
import type { Paragraph, Sentence } from './prose.ts';
import { displayName, saysOf } from './symbols.ts';

/** The calls of a way in their order, one line each. */
export function tellWay(cite: Citer, way: readonly WayStep[]): Paragraph {
  const sentences = way.map(({ from, to, isByName }): Sentence => {
    const caller = `\`${lastPart(from.symbol)}\``;
    const there = beginningOf(cite, to);
    const sources = [...callLine(cite, from, to), there];
    const called = `\`${displayName(to)}\` (${to.path}:${to.start})`;
    const says = saysOf(to.doc, lastPart(to.symbol));
    if (isByName) {
      const text = `${caller} calls a \`${lastPart(to.symbol)}\` that is known only at run time; ${called} is one.`;
      return { text, sources };
    }
    if (says === undefined) return { text: `${caller} calls ${called}.`, sources };
    return { text: `${caller} calls ${called}, which ${says}.`, sources: [...sources, ...docLines(cite, to, there)] };
  });
  return { sentences, isList: sentences.length > 1 };
}

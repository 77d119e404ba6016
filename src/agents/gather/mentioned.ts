import { isTestPath } from '../../languages/languages.ts';
import type { Mention } from '../question/mentions.ts';
import { type CodePlace, findOfName } from './code.ts';
import type { Tools } from './tools.ts';

/** What a plain word of a question names. */
interface Mentioned {
  place: CodePlace;
  /** The same word in another case, which is something else. */
  other: CodePlace | undefined;
}

const IS_TYPE = /^(?:class|struct|interface|trait|enum|type|protocol|object)$/;
const IS_FUNCTION = /^(?:function|method|macro)$/;

/** The symbol of a name in its very case and of its kind, code before tests; undefined where there is none. Two calls. */
export async function findMentioned(tools: Tools, { name, kind }: Mention): Promise<Mentioned | undefined> {
  const fits = ({ kind: own }: CodePlace): boolean => kind === undefined || isOfKind(own, kind);
  const found = (await findOfName(tools, name)).filter(
    (place) => isDeclared(place) && nameOf(place) === name && fits(place),
  );
  const ordered = found.toSorted((a, b) => worthOf(b) - worthOf(a));
  const [place] = ordered;
  if (place === undefined) return undefined;
  const changed = /^[A-Z]/.test(name) ? name.charAt(0).toLowerCase() : name.charAt(0).toUpperCase();
  const others = await findOfName(tools, `${changed}${name.slice(1)}`);
  const other = others.find(
    (one) => isDeclared(one) && nameOf(one) !== name && !isTestPath(one.path) && depthOf(one) === 1,
  );
  return { place, other };
}

function isOfKind(own: string, kind: string): boolean {
  return IS_FUNCTION.test(kind) ? IS_FUNCTION.test(own) : IS_TYPE.test(own);
}

/** Whether it is a type or a function: no heading of a document, and no property. */
function isDeclared({ kind }: CodePlace): boolean {
  return IS_TYPE.test(kind) || IS_FUNCTION.test(kind);
}

/** Code before tests, then what stands by itself, then types. */
function worthOf(place: CodePlace): number {
  return (isTestPath(place.path) ? 0 : 4) + (depthOf(place) === 1 ? 2 : 0) + (IS_TYPE.test(place.kind) ? 1 : 0);
}

function nameOf({ symbol }: CodePlace): string {
  return symbol.slice(symbol.lastIndexOf('/') + 1);
}

function depthOf({ symbol }: CodePlace): number {
  return symbol.split('/').length;
}

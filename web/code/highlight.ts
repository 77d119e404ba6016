import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import {
  codeToTokensBase,
  createShikiPrimitive,
  getLastGrammarState,
  type ThemeRegistration,
} from '@shikijs/primitive';
import { grammarOf, loadGrammar } from './grammars.ts';
import type { Token } from './segments.ts';

/** A page shows the beginning of a line that is longer without colours: minified code. */
const LONGEST_LINE = 2_000;
/** A line is read whole: with a limit, the first one, for which expressions are compiled, would stay plain on a slow machine. */
const NO_LIMIT_MS = 0;

const colour = (name: string, scope: string[]): { scope: string[]; settings: { foreground: string } } => ({
  scope,
  settings: { foreground: `var(--code-${name})` },
});

/** Colours are variables of the style sheet, so that light and dark need no second pass. */
const THEME = {
  name: 'page',
  type: 'light',
  fg: 'var(--code-text)',
  bg: 'transparent',
  settings: [
    colour('comment', ['comment', 'punctuation.definition.comment', 'string.comment']),
    colour('string', ['string', 'punctuation.definition.string', 'markup.inline.raw', 'constant.other.symbol']),
    colour('number', ['constant.numeric', 'constant.language', 'constant.character', 'support.constant']),
    colour('keyword', [
      'keyword',
      'storage',
      'variable.language',
      'punctuation.definition.directive',
      'entity.name.tag',
      'markup.heading',
    ]),
    colour('text', ['keyword.operator', 'storage.type.function.arrow', 'punctuation']),
    colour('type', [
      'entity.name.type',
      'entity.name.class',
      'support.type',
      'support.class',
      'entity.other.inherited-class',
    ]),
    colour('function', ['entity.name.function', 'support.function', 'meta.function-call.generic']),
    colour('property', ['entity.other.attribute-name', 'support.type.property-name', 'meta.object-literal.key']),
  ],
} satisfies ThemeRegistration;

/** Yields the tokens of a text part by part: the text before a part decides how it is read. */
type Highlighter = (lines: readonly string[]) => Token[][];

/** A highlighter for one reading of a file from its start; undefined where no grammar knows its language. */
export async function openHighlighter(path: string): Promise<Highlighter | undefined> {
  const grammar = grammarOf(path);
  if (grammar === undefined) return undefined;
  const langs = await loadGrammar(grammar);
  const lang = langs.at(-1)?.name;
  if (lang === undefined) return undefined;
  const engine = createJavaScriptRegexEngine({ forgiving: true });
  const shiki = createShikiPrimitive({ themes: [THEME], langs: [langs], engine });
  let state: ReturnType<typeof getLastGrammarState> | undefined;
  return (lines) => {
    const tokens = codeToTokensBase(shiki, lines.join('\n'), {
      lang,
      theme: THEME.name,
      tokenizeMaxLineLength: LONGEST_LINE,
      tokenizeTimeLimit: NO_LIMIT_MS,
      ...(state !== undefined && { grammarState: state }),
    });
    state = getLastGrammarState(shiki, tokens);
    return tokens.map((line) => {
      let offset = 0;
      return line.map(({ content, color = '' }) => {
        const token = { offset, length: content.length, color };
        offset += content.length;
        return token;
      });
    });
  };
}

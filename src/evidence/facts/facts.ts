import type { Fact } from '../model/brief.ts';
import type { Operations } from '../model/operations.ts';
import type { NamedPlace, NamedThing, Question } from '../model/question.ts';
import { listCoupling, listHotspots, listOwners } from './history-facts.ts';
import { listCycles, listLayers, statePaths } from './module-facts.ts';
import { listHeirs, listImpact, listImporters, listPackageImports, listUsers, perPlace } from './symbol-facts.ts';

/** Input of the computation of a kind of question. */
interface FactRequest {
  operations: Operations;
  question: Question;
  symbols: readonly NamedThing[];
  places: readonly NamedPlace[];
}

/**
 * The kinds of questions that are computed: the words of the operations by which one is known, what it must name, and its calls. The
 * first that is needs two names goes before those that need one.
 */
const KINDS: readonly {
  words: RegExp;
  needs: 'nothing' | 'name' | 'one name' | 'symbol' | 'two names' | 'no name';
  compute: (request: FactRequest) => Promise<Fact[]>;
}[] = [
  {
    words: /\b(?:depend\w*|imports?|path|between|reach\w*|knows?|calls?|uses?|connect\w*|each other|mutual\w*|both)\b/i,
    needs: 'two names',
    compute: ({ operations, question }) => statePaths(operations, question.names),
  },
  {
    words: /\b(?:us(?:es?|ed|ing|ages?|ers?)|call(?:s|ed|ers?|ing)?|referenc\w*|instantiat\w*)\b/i,
    needs: 'symbol',
    compute: ({ operations, symbols }) => perPlace(symbols, (...place) => listUsers(operations, place, 'include')),
  },
  {
    words: /\btest(?:s|ed|ing)?\b|\bcover(?:s|ed|age)?\b/i,
    needs: 'symbol',
    compute: ({ operations, symbols }) => perPlace(symbols, (...place) => listUsers(operations, place, 'only')),
  },
  {
    words: /\b(?:break\w*|broke\w*|impact\w*|affect\w*|blast radius)\b/i,
    needs: 'name',
    compute: async ({ operations, question: { names }, symbols }) => [
      ...(await perPlace(names, (...place) => listImpact(operations, place))),
      ...(await perPlace(symbols, (...place) => listHeirs(operations, place))).filter(
        ({ isEmpty }) => isEmpty !== true,
      ),
    ],
  },
  {
    words: /\b(?:implement\w*|extend\w*|subclass\w*|overrid\w*|inherit\w*|deriv\w*)\b/i,
    needs: 'symbol',
    compute: ({ operations, symbols }) => perPlace(symbols, (...place) => listHeirs(operations, place)),
  },
  {
    words: /\b(?:import(?:s|ed|ers?|ing)?|depends? on|dependents?|depending)\b/i,
    needs: 'one name',
    compute: ({ operations, question }) => perPlace(question.names, (...place) => listImporters(operations, place)),
  },
  {
    // Circular imports are those of the code.
    words:
      /(?<!\b(?:circular|cyclic) )\b(?:import(?:s|ed|ers?|ing)?|depends? on|us(?:es?|ed|ing))\b.*\b(?:package|library|module|crate|dependency)\b|\b(?:package|library|module|crate|dependency)\b.*\b(?:import\w*|us(?:es?|ed|ing))\b|(?<!\b(?:circular|cyclic) )\bimport(?:s|ed|ers?)?\b/i,
    needs: 'no name',
    compute: ({ operations, question }) => listPackageImports(operations, packagesIn(question)),
  },
  {
    words: /\b(?:cycl\w*|circular\w*|circles?)\b/i,
    needs: 'nothing',
    compute: ({ operations, places }) => listCycles(operations, places),
  },
  { words: /\blayer\w*\b/i, needs: 'nothing', compute: ({ operations }) => listLayers(operations) },
  {
    words: /\b(?:owners?|ownership|owned by|who\b.*\b(?:owns?|wrote|maintain\w*|responsible|knows?|contribut\w*))\b/i,
    needs: 'nothing',
    compute: ({ operations, places }) => listOwners(operations, places[0]),
  },
  {
    words: /\b(?:hot ?spots?|churn|changes? (?:most|often)|most (?:often )?changed|riskiest)\b/i,
    needs: 'nothing',
    compute: ({ operations, places }) => listHotspots(operations, places[0]),
  },
  {
    words: /\b(?:changes? together|changed together|co-?chang\w*|coupl\w*|changes? with)\b/i,
    needs: 'nothing',
    compute: ({ operations, places }) => listCoupling(operations, places[0]),
  },
];

/** Words of these kinds: no package is called so. */
const KIND_WORD =
  /^(?:import\w*|depend\w*|package\w*|librar\w*|module\w*|crates?|files?|us(?:es?|ed|ing)|code|project|repository|which|where)$/i;

/** Returns the words of a question that may be names of packages: whole paths of modules before words. */
function packagesIn({ text, words }: Question): string[] {
  const paths = text.match(/@?[\w.-]+(?:\/[\w.-]*\w)+/g) ?? [];
  return [...paths, ...words.filter((word) => !KIND_WORD.test(word))];
}

/** Kinds of one question that are computed. */
const MOST_KINDS = 3;

/** Facts about a question, and the words of it that they answer to: those say what is computed, and nothing of the code. */
interface Computed {
  facts: Fact[];
  words: string[];
}

/**
 * Computes facts about what a question names: names that exist in the index decide, and the words of the operations say which of them
 * is meant. One to ten calls a kind; none where the question has neither. Failing calls lead to fewer facts, never to an error.
 */
export async function computeFacts(question: Question, operations: Operations): Promise<Computed> {
  const symbols = question.names.filter(({ kind }) => kind === 'symbol');
  const places = question.names.flatMap(({ places: all }) => all.slice(0, 1));
  const request: FactRequest = { operations, question, symbols, places };
  const has = {
    nothing: true,
    name: question.names.length > 0,
    'one name': question.names.length === 1,
    symbol: symbols.length > 0,
    'two names': question.names.length > 1,
    'no name': question.names.length === 0,
  };
  // Names are no words of the question: `importUsers` asks for no imports.
  const words = question.names.reduce((text, { name }) => text.replaceAll(name, ' '), question.text);
  const kinds = KINDS.filter(({ words: pattern, needs }) => has[needs] && pattern.test(words)).slice(0, MOST_KINDS);
  const computed = await Promise.all(
    kinds.map(async ({ words: pattern, compute }) => ({
      match: pattern.exec(words)?.[0] ?? '',
      facts: await compute(request),
    })),
  );
  const answered = computed.filter(({ facts }) => facts.length > 0);
  return {
    facts: answered.flatMap(({ facts }) => facts),
    words: question.words.filter((word) => answered.some(({ match }) => match.includes(word))),
  };
}

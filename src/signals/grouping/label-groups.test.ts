import { expect, test } from 'vitest';
import { chooseLabel, type LabelText, labelCandidates } from './label-groups.ts';

const textsOf = (language: string, ...texts: string[]): LabelText[] => texts.map((text) => ({ text, language }));
/** The label of each group beside all others. */
function labelsOf(groups: Record<string, LabelText[]>, others: LabelText[] = []): Record<string, string> {
  const all = [...Object.values(groups).flat(), ...others];
  const candidates = labelCandidates(new Map(Object.entries(groups)), all);
  return Object.fromEntries(Array.from(candidates, ([name, own]) => [name, chooseLabel(own)]));
}

test('a label is a run of words that a group says and others do not, as it writes it', () => {
  const labels = labelsOf({
    dark: textsOf('en', 'Dark mode, please', 'I miss a dark mode', 'dark mode is missing'),
    debit: textsOf('en', 'let me pay by direct debit', 'Direct debit is missing', 'I want direct debit'),
    silent: textsOf('en', ''),
    // Of spellings that are as frequent the first by the alphabet.
    refund: textsOf('en', 'refunds', 'refunds', 'refund', 'refund'),
  });

  expect(labels).toEqual({ dark: 'dark mode', debit: 'direct debit', silent: '', refund: 'refund' });
});

test('a label that another group has is taken only where there is no other', () => {
  const texts = textsOf('en', 'worst bank, no answer', 'worst bank, never an answer', 'worst bank');
  const candidates = labelCandidates(new Map([['one', texts]]), texts).get('one') ?? [];

  expect(chooseLabel(candidates)).toBe('worst bank');
  expect(chooseLabel(candidates, [], new Set(['worst bank']))).not.toBe('worst bank');
  expect(chooseLabel(candidates.slice(0, 1), [], new Set([candidates[0]?.written.toLowerCase() ?? '']))).not.toBe('');
});

test('function words and numbers stand inside of a label, never at its ends, in any language', () => {
  const labels = labelsOf({
    account: textsOf('en', 'How do I delete my account?', 'Please delete my account', 'delete my account now'),
    wifi: textsOf('de', 'das WLAN ist langsam', 'kein WLAN im Wagen', 'WLAN geht nicht'),
    refund: textsOf('fr', "c'est le remboursement", 'le remboursement est long', 'un remboursement de 20 euros'),
    ten: textsOf('en', '20 items', '20 items', '20 items'),
  });

  expect(labels).toEqual({ account: 'delete my account', wifi: 'WLAN', refund: 'remboursement', ten: 'items' });
});

test('a phrase of one text alone names no group, and a phrase that everybody says names none where there is another', () => {
  const shop = textsOf('en', 'the app is nice', 'the app is fine', 'my app is good', 'this app', 'love the app');
  const labels = labelsOf(
    {
      battery: textsOf('en', 'app drains battery', 'the app needs battery', 'app: battery empty'),
      mixed: textsOf('en', 'one', 'two'),
    },
    shop,
  );

  expect(labels).toEqual({ battery: 'battery', mixed: '' });
});

test('of phrases that a group says alike, the one nearest to its meaning names it', () => {
  const candidates = [
    { written: 'today', contrast: 1, words: 1 },
    { written: 'order status', contrast: 0.7, words: 2 },
    { written: 'status', contrast: 0.8, words: 1 },
  ];

  expect(chooseLabel(candidates)).toBe('today');
  expect(chooseLabel(candidates, [0, 0.5, 0.5])).toBe('order status');
  expect(chooseLabel([])).toBe('');
});

const phrasesOf = (...texts: string[]): string[] =>
  (labelCandidates(new Map([['own', textsOf('en', ...texts)]]), []).get('own') ?? []).map((one) => one.written);

test('a label has four words at most, of the first six hundred characters of texts', () => {
  const five = 'red green blue black white';

  expect(phrasesOf(five, five)[0]?.split(' ')).toHaveLength(4);
  expect(phrasesOf(five, five)).toHaveLength(12);
  const lead = '1 '.repeat(298);
  expect(phrasesOf(`${lead}east`, 'east')).toEqual(['east']);
  expect(phrasesOf(`${lead}1 east`, 'east')).toEqual([]);
  // Once in a text is as often as several times.
  expect(phrasesOf('east. east. east', 'west')).toEqual([]);
  expect(phrasesOf('east')).toEqual(['east']);
});

test('a phrase that more of a group says and fewer others comes first, of those alike the longer one', () => {
  const own = textsOf('en', 'dark mode now', 'dark mode later', 'dark theme');
  const others = [...own, ...textsOf('en', 'dark night', 'dark wood')];
  const candidates = labelCandidates(new Map([['own', own]]), others).get('own') ?? [];

  expect(candidates.map(({ written }) => written)).toEqual(['dark mode', 'mode', 'dark']);
  expect(candidates.map(({ words }) => words)).toEqual([2, 1, 1]);
});

const candidate = (written: string, contrast: number, words = 1) => ({ written, contrast, words });

const bestOf = (...candidates: Parameters<typeof chooseLabel>[0]): string => chooseLabel(candidates);

test('two words are worth a fifth of the best contrast, and nearness twice of it', () => {
  expect(bestOf(candidate('one', 1), candidate('two words', 0.81, 2))).toBe('two words');
  expect(bestOf(candidate('one', 1), candidate('two words', 0.79, 2))).toBe('one');
  const [far, near] = [candidate('far', 1), candidate('near', 0.5)];
  expect(chooseLabel([far, near], [0, 0.26])).toBe('near');
  expect(chooseLabel([far, near], [0, 0.24])).toBe('far');
  // Contrasts below a hundredth are noise.
  expect(bestOf(candidate('one', 0.0005), candidate('two words', 0, 2))).toBe('two words');
  expect(bestOf(candidate('one', 0.0025), candidate('two words', 0, 2))).toBe('one');
});

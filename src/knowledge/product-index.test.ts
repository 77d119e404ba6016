import { expect, test } from 'vitest';
import { TermCounter } from './entry-terms.ts';
import { IndexFile } from './index-file.ts';
import { applyUpdate, compact, isSparse } from './index-writer.ts';
import { PostingBuffer } from './postings.ts';
import { matchingIds, searchIndex } from './product-index.ts';
import type { KnowledgeQuery, KnowledgeResult } from './query.ts';
import type { Corpus, Entry, ThingChange } from './store.ts';

const tools = { counter: new TermCounter(), postings: new PostingBuffer(), checkMemory: () => undefined };

/** An index in memory. */
class ProductIndex {
  readonly file = new IndexFile(':memory:', 1e6);

  apply(changes: readonly ThingChange[]): void {
    const { sequence, position } = this.file.state();
    applyUpdate(this.file, { sequence, changes, position }, tools);
    if (isSparse(this.file)) compact(this.file);
  }

  search(query: KnowledgeQuery): KnowledgeResult {
    return searchIndex(this.file, query);
  }
}

/** A thing of one entry. */
type Sketch = Partial<Entry> & { id: string; corpus?: Corpus };

function indexOf(...sketches: Sketch[]): ProductIndex {
  const index = new ProductIndex();
  index.apply(sketches.map((sketch) => change(sketch)));
  return index;
}

function change({ id, corpus = 'documents', ...entry }: Sketch): ThingChange {
  const none = { part: '', kind: 'upload', title: '', section: '', text: '', date: undefined };
  const nobody = { tags: [], customer: '', segment: '', source: '' };
  return { corpus, id, revision: 1, entries: [{ ...none, ...nobody, ...entry }] };
}

const scores = (index: ProductIndex, query: string, more: Partial<KnowledgeQuery> = {}): [string, number][] =>
  index.search({ query, limit: 20, ...more }).hits.map(({ id, score }) => [id, score]);
const idsOf = (index: ProductIndex, query: string, more: Partial<KnowledgeQuery> = {}): string[] =>
  scores(index, query, more).map(([id]) => id);

const FILLER = Array.from({ length: 6 }, (_, at) => ({ id: `filler ${at}`, text: `weather number ${at}` }));

test('a word says most in a title, then in a section, in tags and in a text; often says more, and a long text less', () => {
  const same = { title: 'weather', section: 'number', tags: ['cloud'], text: 'weather number cloud' };
  const index = indexOf(
    { ...same, id: 'text', text: 'refund number cloud' },
    { ...same, id: 'tags', tags: ['refund'] },
    { ...same, id: 'section', section: 'refund' },
    { ...same, id: 'title', title: 'refund' },
    { ...same, id: 'twice', text: 'refund refund cloud' },
    { ...same, id: 'long', text: `refund ${'weather number '.repeat(20)}` },
    { ...same, id: 'long title', title: 'refund of what was sent back' },
    ...FILLER.map((filler) => ({ ...same, ...filler })),
  );

  expect(scores(index, 'refund')).toMatchInlineSnapshot(`
    [
      [
        "title",
        0.8076,
      ],
      [
        "twice",
        0.7795,
      ],
      [
        "section",
        0.775,
      ],
      [
        "long title",
        0.7265,
      ],
      [
        "tags",
        0.7,
      ],
      [
        "text",
        0.6775,
      ],
      [
        "long",
        0.4813,
      ],
    ]
  `);
});

test('who has more of the question, and its rarer words, comes first; who has too little is no hit', () => {
  const index = indexOf(
    { id: 'both', text: 'refund of weather' },
    { id: 'rare', text: 'refund of something' },
    { id: 'common', text: 'weather of something' },
    ...FILLER,
  );

  expect(scores(index, 'refund weather')).toMatchInlineSnapshot(`
    [
      [
        "both",
        0.64,
      ],
      [
        "rare",
        0.5728,
      ],
    ]
  `);
  expect(index.search({ query: 'refund unicorn', limit: 1 })).toMatchObject({
    unknownTerms: ['unicorn'],
    entriesWith: { refund: 2, unicorn: 0 },
    totals: { documents: 2, signals: 0 },
  });
});

test('of hits alike the newest comes first, then the corpora in their order, then the order in which they were written', () => {
  const index = indexOf(
    { id: 'a', text: 'refund' },
    { id: 'b', text: 'refund' },
    { id: 'old', text: 'refund', date: new Date('2026-01-01') },
    { id: 'new', text: 'refund', date: new Date('2026-02-01') },
    { id: 'z', corpus: 'signals', text: 'refund' },
  );
  index.apply([
    {
      ...change({ id: 'parts' }),
      entries: ['1', '2'].flatMap((part) => change({ id: '', part, text: 'refund' }).entries),
    },
  ]);

  expect(index.search({ query: 'refund', limit: 9 }).hits.map(({ id, part }) => id + part)).toMatchInlineSnapshot(`
    [
      "new",
      "old",
      "a",
      "b",
      "parts1",
      "parts2",
      "z",
    ]
  `);
  expect(idsOf(index, '')).toEqual(idsOf(index, 'refund'));
});

test('filters take what is within them, borders included, whatever the case', () => {
  const date = new Date('2026-01-02');
  const index = indexOf(
    { id: 'one', date, tags: ['Mail', 'Shop'], customer: 'Acme', kind: 'upload' },
    { id: 'two', date: new Date('2026-01-03'), tags: ['mail'], segment: 'acme', kind: 'note' },
    { id: 'three', source: 'ACME', corpus: 'signals' },
  );

  expect(idsOf(index, '', { since: date })).toEqual(['two', 'one']);
  expect(idsOf(index, '', { until: date })).toEqual(['one']);
  expect(idsOf(index, '', { tags: ['mail'] })).toEqual(['two', 'one']);
  expect(idsOf(index, '', { tags: ['MAIL', 'shop'] })).toEqual(['one']);
  expect(idsOf(index, '', { customer: ' acme ' })).toEqual(['two', 'one', 'three']);
  expect(idsOf(index, '', { customer: 'ac' })).toEqual([]);
  expect(idsOf(index, '', { customer: '' })).toHaveLength(3);
  expect(idsOf(index, '', { kinds: ['note'] })).toEqual(['two']);
  expect(idsOf(index, '', { corpora: ['signals'] })).toEqual(['three']);
});

test('pages follow one another, of all hits or of each corpus', () => {
  const index = indexOf(
    ...['a', 'b', 'c'].map((id) => ({ id, text: 'refund' })),
    ...['x', 'y', 'z'].map((id) => ({ id, corpus: 'signals' as const, text: 'refund' })),
  );

  expect(idsOf(index, 'refund', { limit: 2 })).toEqual(['a', 'b']);
  expect(idsOf(index, 'refund', { limit: 2, offset: 2 })).toEqual(['c', 'x']);
  expect(idsOf(index, 'refund', { limit: 1, offset: 1, perCorpus: true })).toEqual(['b', 'y']);
  expect(index.search({ query: 'refund', limit: 1 }).totals).toMatchObject({ documents: 3, signals: 3 });
});

test('hits name the words of the question that they have, and those in their heading', () => {
  const index = indexOf({ id: 'one', text: 'card', title: 'Refund' }, { id: 'two', text: 'refund', section: 'Card' });

  const { hits } = index.search({ query: 'refund card', limit: 9 });

  expect(hits.map(({ id, terms, headTerms }) => [id, terms, headTerms])).toMatchInlineSnapshot(`
    [
      [
        "one",
        [
          "refund",
          "card",
        ],
        [
          "refund",
        ],
      ],
      [
        "two",
        [
          "refund",
          "card",
        ],
        [
          "card",
        ],
      ],
    ]
  `);
});

test('a misspelt word finds what it means, and a known one nothing that looks like it', () => {
  const index = indexOf({ id: 'refund', text: 'refund' }, { id: 'authenticate', text: 'authentication' }, ...FILLER);

  expect(idsOf(index, 'refnud')).toEqual(['refund']);
  expect(idsOf(index, 'authentcation')).toEqual(['authenticate']);
  expect(idsOf(indexOf({ id: 'near', text: 'refunds' }, { id: 'itself', text: 'refuel' }), 'refuel')).toEqual([
    'itself',
  ]);
  expect(idsOf(index, 'rfd')).toEqual([]);
  expect(index.search({ query: 'refnud', limit: 1 })).toMatchObject({ entriesWith: { refnud: 1 }, unknownTerms: [] });
  const apart = indexOf(...['shutdown', 'shut it down', 'shut down'].map((text) => ({ id: text, text })));
  expect(apart.search({ query: 'shutdown', limit: 1 }).entriesWith).toEqual({ shutdown: 1 });
});

test('release notes of a repository stand behind documentation that says the same', () => {
  const doc = { kind: 'product_doc', text: 'sessions are signed' };
  const index = indexOf(
    { ...doc, id: 'a', source: 'shop/CHANGES.rst' },
    { ...doc, id: 'b', source: 'shop/docs/sessions.rst' },
    { ...doc, id: 'c', source: 'shop/docs/exchanges.rst' },
    ...FILLER,
  );

  expect(idsOf(index, 'signed sessions')).toEqual(['b', 'c', 'a']);
});

test('what is replaced or removed is not found, does not count, and leaves the rest as it was', () => {
  const index = indexOf({ id: 'one', text: 'refund' }, { id: 'two', text: 'refund card' }, ...FILLER);
  const before = scores(indexOf({ id: 'two', text: 'refund card' }, ...FILLER), 'refund card');

  index.apply([{ ...change({ id: 'one' }), entries: [] }]);

  expect(scores(index, 'refund card')).toEqual(before);
  const again = Array.from({ length: 100 }, () => change({ id: 'two', text: 'refund card' }));
  for (let round = 0; round < 11; round += 1) index.apply(again);
  expect(scores(index, 'refund card')).toEqual(before);
  index.apply([change({ id: 'three', text: 'refund refund refund card', title: 'refund' })]);
  expect(idsOf(index, 'refund card')).toEqual(['three', 'two']);
  expect(index.search({ query: '', limit: 0 }).coverage.documents).toEqual({
    things: 8,
    entries: 8,
    newest: undefined,
  });
  expect(index.file.nextEntry).toBeLessThan(1100);
});

test('the newest entry of a corpus and its things are counted', () => {
  const index = indexOf(
    { id: 'one', date: new Date('2026-01-02') },
    { id: 'two', date: new Date('2026-01-03') },
    { id: 'three', date: new Date('2026-01-01') },
  );

  expect(index.search({ query: '', limit: 0 }).coverage.documents).toEqual({
    things: 3,
    entries: 3,
    newest: new Date('2026-01-03'),
  });
});

test('what there is counts only what is of the repository that is asked about, or of none', () => {
  const index = indexOf(
    { id: 'shop', kind: 'product_doc', source: 'shop/README.md', date: new Date('2026-01-01') },
    { id: 'till', kind: 'product_doc', source: 'till/README.md', date: new Date('2026-05-01') },
    { id: 'letter', kind: 'upload' },
    { id: 'of the till', corpus: 'plans', kind: 'plan' },
  );
  const from = { repository: 'shop', without: ['of the till'] };
  const of = (more: Partial<KnowledgeQuery>): unknown[] => {
    const { documents, plans } = index.search({ query: '', limit: 1, ...more }).coverage;
    return [documents.things, documents.entries, documents.newest?.getUTCMonth(), plans.things];
  };

  expect(of({ from })).toEqual([2, 2, 0, 0]);
  expect(of({})).toEqual([3, 3, 4, 1]);
});

test.each([
  ['shut down', 'together'],
  ['shutting down', 'apart'],
  ['shutdown', 'apart'],
  ['login', 'particle'],
  ['logged in', 'login'],
  ['Rechnungsexport', 'german'],
])('"%s" is found where it is written together or apart (%s)', (query, expected) => {
  const texts = {
    together: 'The shutdown of the server takes minutes',
    apart: 'How do I shut the server down cleanly? It should shut down at night',
    particle: 'I cannot log in with my phone',
    login: 'The login page is blank',
    german: 'Der Export der Rechnung fehlt',
    half: 'Please shut the door',
    file: 'The log file grows',
  };
  const index = indexOf(...Object.entries(texts).map(([id, text]) => ({ id, text })), ...FILLER);

  expect(idsOf(index, query)).toContain(expected);
  const others = { apart: ['half'], together: ['half'], particle: ['file'], login: [], german: ['half'] };
  const [best] = idsOf(index, query);
  expect(others[expected as keyof typeof others]).not.toContain(best);
});

test('a word of five letters may have one wrong, one of nine two', () => {
  const index = indexOf(
    ...['card', 'cargo', 'harbours', 'authentic'].map((text) => ({ id: text, text })),
    { id: 'kept', text: 'refuels refueler' },
    ...FILLER,
  );
  const matches = (query: string): string[] => idsOf(index, query);

  expect([matches('carf'), matches('carfo'), matches('cqrfo')]).toEqual([[], ['cargo'], []]);
  expect([matches('harbpirs'), matches('harbpurs')]).toEqual([[], ['harbours']]);
  expect([matches('authwnyic'), matches('auyhwnyic')]).toEqual([['authentic'], []]);
});

test('a question for all of its words finds only what has each, also beyond the thirty-one that hits state', () => {
  const words = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => [`q${letter}`, `z${letter}`])
    .flat()
    .slice(0, 33);
  const index = indexOf(
    { id: 'both', text: 'refund card' },
    { id: 'one', text: 'refund' },
    { id: 'long', text: words.join(' ') },
  );

  expect(idsOf(index, 'refund card', { every: true })).toEqual(['both']);
  expect(idsOf(index, 'refund', { every: true }).toSorted()).toEqual(['both', 'one']);
  expect(idsOf(index, '', { every: true })).toHaveLength(3);
  const [hit] = index.search({ query: words.join(' '), limit: 9, every: true }).hits;
  expect([hit?.id, hit?.terms.length, hit?.headTerms]).toEqual(['long', 31, []]);
  const others = indexOf({ id: 'others', text: words.slice(1).join(' ') });
  expect(others.search({ query: words.join(' '), limit: 9 }).hits[0]?.terms).toHaveLength(30);
});

test('only some things are searched where they are named, and the handles of hits are each given once', () => {
  const parts = ['1', '2'].flatMap((part) => change({ id: '', part, text: 'refund' }).entries);
  const index = indexOf({ id: 'a', text: 'refund' }, { id: 'b', corpus: 'signals', text: 'refund' }, { id: 'c' });
  index.apply([{ ...change({ id: 'parts' }), entries: parts }]);

  expect(idsOf(index, 'refund', { only: ['parts', 'b', 'c', 'gone'] })).toEqual(['parts', 'parts', 'b']);
  expect(idsOf(index, 'refund', { only: [] })).toEqual([]);
  expect(matchingIds(index.file, { query: 'refund unicorn', limit: 9 })).toEqual({
    ids: ['a', 'parts', 'b'],
    unknownTerms: ['unicorn'],
  });
  expect(matchingIds(index.file, { query: 'refund', limit: 1 }).ids).toEqual(['a']);
});

test('what is of another repository is left out of a search, and what a repository leaves out', () => {
  const doc = { kind: 'product_doc', text: 'refund' };
  const index = indexOf(
    { ...doc, id: 'shop', source: 'shop/README.md' },
    { ...doc, id: 'till', source: 'till/README.md' },
    { id: 'letter', text: 'refund' },
    { id: 'plan', corpus: 'plans', text: 'refund' },
  );

  expect(idsOf(index, 'refund', { from: { repository: 'shop', without: ['plan'] } })).toEqual(['shop', 'letter']);
  expect(idsOf(index, 'refund', { from: { repository: 'shop', without: [] } })).toEqual(['shop', 'letter', 'plan']);
});

test('entries of every block are found, with their facts', () => {
  const date = new Date('2026-01-02');
  const many = Array.from({ length: 2_050 }, (_, at) => ({ id: `filler ${at}`, text: 'weather' }));
  const index = indexOf(...many, { id: 'last', text: 'refund weather', tags: ['mail'], date });

  expect(idsOf(index, 'refund')).toEqual(['last']);
  expect(idsOf(index, '', { tags: ['mail'] })).toEqual(['last']);
  expect(idsOf(index, 'weather', { limit: 2 })).toEqual(['filler 0', 'filler 1']);
  expect(idsOf(index, '', { since: date, until: date })).toEqual(['last']);
  expect(index.search({ query: 'weather', limit: 0 }).totals.documents).toBe(2_051);
});

test('a third of what was asked, by how rare its words are, is enough', () => {
  const words = ['one', 'two', 'six', 'ten', 'red', 'sun'];
  const entriesWith = (count: number): Sketch => ({ id: `${count}`, text: words.slice(0, count).join(' ') });
  const index = indexOf(
    ...[1, 2, 3].map(entriesWith),
    ...words.slice(3).map((text) => ({ id: text, text })),
    ...FILLER,
  );

  expect(idsOf(index, 'red')).toEqual(['red']);
  expect(idsOf(index, 'one two six').toSorted()).toEqual(['2', '3']);
});

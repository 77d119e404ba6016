import { expect, test } from 'vitest';
import { checkParts } from './check-model.ts';
import type { Claim } from './claims.ts';
import { askedCorpora, conclude } from './research.ts';

function claim(said: string, more: Partial<Claim> = {}): Claim {
  const evidence = [{ id: said, kind: 'document' as const, repo: '', text: said }];
  return { text: `${said}.`, said, evidence, corpus: 'code', about: 'refunds', date: '', voice: said, ...more };
}

const QUESTION = 'How are refunds paid?';
const weigh = (claims: Claim[], effort: 'quick' | 'standard' | 'deep' = 'standard') =>
  conclude({ question: QUESTION, effort, subquestions: [QUESTION] }, [{ collected: [{ claims }], calls: [] }]);
const many = Array.from({ length: 40 }, (_, at) =>
  claim(`A refund is paid by desk${at}`, {
    about: QUESTION,
    voice: `${at}`,
    date: `2026-01-${String(at + 1).padStart(2, '0')}`,
  }),
);

test('a quick research gives eight findings, others sixteen or thirty-two, and the twelve newest dates', () => {
  expect((['quick', 'standard', 'deep'] as const).map((effort) => weigh(many, effort).findings.length)).toEqual([
    8, 16, 32,
  ]);
  expect(weigh(many.slice(0, 20)).timeline.map(({ date }) => Number(date.slice(-2)))).toEqual([
    9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
  ]);
});

test('five contradictions are told, and the first two are to be settled', () => {
  const days = Array.from({ length: 5 }, (_, at) =>
    claim(`The refund on the card takes ${at} days`, { corpus: 'documents' }),
  );
  const { contradictions, actions } = weigh(days);

  expect(contradictions).toHaveLength(5);
  expect(actions.filter((action) => action.startsWith('settle'))).toHaveLength(2);
});

const actions = (...claims: Claim[]): string => weigh(claims).actions.join('\n');

test('what to do next follows from what was found and what was not', () => {
  const signal = claim('We want refunds', { corpus: 'signals' });

  expect(actions(signal)).toContain('customers ask for it and no plan has it');
  expect(actions(signal, claim('Refunds in May', { corpus: 'plans' }))).not.toContain('no plan has it');
  const why = { question: 'Why are refunds paid?', effort: 'quick' as const, subquestions: [QUESTION] };
  expect(actions(signal)).not.toContain('no decision was found');
  expect(conclude(why, [{ collected: [{ claims: [signal] }], calls: [] }]).actions.join('')).toContain(
    'no decision was found',
  );
  expect(actions(claim('By card', { corpus: 'decisions' }))).toBe('');
  expect(actions()).toBe('');
});

const gaps = (...parts: string[]): string[] =>
  conclude({ question: QUESTION, effort: 'quick', subquestions: parts }, [
    {
      collected: [
        { claims: [claim('one refund of refunds')] },
        { claims: [], lacks: 'plan' },
        { claims: [], lacks: 'code' },
      ],
      calls: [],
    },
  ]).gaps;

test('a part of the question of which nothing was found is a gap', () => {
  expect(gaps('refunds', 'invoices')).toEqual(['nothing was found for “invoices”, looked for as “invoices”']);
  expect(gaps('which plans change invoices?')).toEqual(['no plan fits']);
});

test('the corpora that are asked are those that were named, in their order, or all', () => {
  expect(askedCorpora({ corpora: ['plans', 'code'] })).toEqual(['code', 'plans']);
  expect(askedCorpora({ corpora: [] })).toHaveLength(7);
});

const long = (length: number): string => `refunds ${'x'.repeat(length - 8)}`;

test('of the parts that a model gives four count, each of 300 characters at most', () => {
  const parts = ['one', 'two', 'three', 'four', 'five'].map((word) => `How are ${word} refunds paid?`);

  expect(checkParts(parts, QUESTION)).toEqual(parts.slice(0, 4));
  expect([checkParts([long(300)], QUESTION)?.length, checkParts([long(301)], QUESTION)]).toEqual([1, undefined]);
});

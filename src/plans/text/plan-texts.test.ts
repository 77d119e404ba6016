import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { codeMentions } from '../../decisions/links.ts';
import { NEVER_MS } from '../../testing/limits.ts';
import { openPlanBench, type PlanBench } from '../../testing/plans.ts';
import { LONGEST_PLAN } from './plan-limit.ts';
import { readPlan } from './plan-text.ts';
import { PlanTexts } from './plan-texts.ts';
import { savePlan } from '../keep/save-plan.ts';

const PLAN = '# Faster mail\n\n## Goal\n\nSpeed.\n\n## Tasks\n\n- [ ] T1 Adapt `sendMail` in `src/mail.ts`\n';
/** Reading one of these takes a parser of all of Markdown from minutes to hours, or its stack. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ['a quote that goes on for ever', filledWith('> x\n', 'y\n')],
  ['lists in lists', filledWith('', '- ')],
  ['quotes in quotes', filledWith('', '> ')],
  ['emphasis that never ends', filledWith('', '*a_')],
  ['addresses that are none', filledWith('', 'www.a_')],
];

let bench: PlanBench;
beforeAll(async () => {
  bench = await openPlanBench();
});
afterAll(() => bench.close());

function filledWith(start: string, repeated: string): string {
  return start + repeated.repeat(Math.floor((LONGEST_PLAN - start.length) / repeated.length));
}

function texts(limitMs?: number): PlanTexts {
  const opened = new PlanTexts(limitMs === undefined ? {} : { limitMs });
  onTestFinished(() => opened.close());
  return opened;
}

test('a plan is read as it is', async () => {
  expect(await texts(NEVER_MS).plan(PLAN)).toEqual(readPlan(PLAN));
});

test('what is wrong with a plan is told as before', async () => {
  await expect(texts(NEVER_MS).plan('---\n: :\n---\n')).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(texts(NEVER_MS).plan('a'.repeat(LONGEST_PLAN + 1))).rejects.toMatchObject({ code: 'too_large' });
});

const REFUSED = {
  code: 'too_large',
  message: expect.stringContaining('cannot be read as Markdown within 0.25 s'),
  fix: expect.stringContaining('deep nesting'),
};

test.each(HOSTILE)('%s is refused as a plan, with the reason', async (_what, text) => {
  const plans = { ...bench.plans, texts: texts(250) };

  await expect(savePlan(plans, bench.account, { text, actor: 'system' })).rejects.toMatchObject(REFUSED);
});

test('what is refused as a plan is refused as a decision', async () => {
  const [[, decision] = ['', '']] = HOSTILE;
  const plans = { ...bench.plans, texts: texts(250) };

  await expect(codeMentions(plans, { links: [], decision, context: '' })).rejects.toMatchObject(REFUSED);
});

test('while a text takes long others are read, and this thread is free', async () => {
  const planTexts = texts(NEVER_MS);
  const long = planTexts.plan(HOSTILE[0]?.[1] ?? '').catch((error: unknown) => String(error));

  expect((await planTexts.plan(PLAN)).title).toBe('Faster mail');
  expect((await planTexts.mentions('See `sendMail()`.')).map(({ symbol }) => symbol)).toEqual(['sendMail']);

  await planTexts.close();
  expect(await long).toContain('closed');
});

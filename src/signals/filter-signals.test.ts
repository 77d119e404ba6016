import { expect, test } from 'vitest';
import { useMemberApplication } from '../testing/member-application.ts';

const { ask } = useMemberApplication();

test('signals are filtered by what they are and who says them, and sorted by value', async () => {
  await ask('POST', '/signals', {
    signals: [
      { text: 'A', customer: 'Small', segment: 'free', value: 10, rating: 1, date: '2026-01-01' },
      { text: 'B', customer: 'Large', segment: 'enterprise', value: 500, rating: 5, date: '2026-02-01' },
      { text: 'C', customer: 'Other', segment: 'enterprise', rating: 1, date: '2026-03-01' },
    ],
  });
  const textsOf = async (query: string): Promise<string> => {
    const { signals, total } = await ask<{ signals: { text: string }[]; total: number }>('GET', `/signals?${query}`);
    expect(total).toBe(signals.length);
    return signals.map(({ text }) => text).join('');
  };

  expect(await textsOf('')).toBe('CBA');
  expect(await textsOf('sort=oldest')).toBe('ABC');
  expect(await textsOf('sort=value')).toBe('BAC');
  expect(await textsOf('segment=enterprise')).toBe('CB');
  expect(await textsOf('polarity=negative')).toBe('CA');
  expect(await textsOf('polarity=positive')).toBe('B');
  expect(await textsOf('since=2026-02-01')).toBe('CB');
  expect(await textsOf('least_value=10&sort=oldest')).toBe('AB');
  expect(await textsOf('least_value=11')).toBe('B');
  expect(await textsOf('intent=churn')).toBe('');
  expect(await ask('GET', '/signals/counts')).toMatchObject({ segments: ['enterprise', 'free'] });
});

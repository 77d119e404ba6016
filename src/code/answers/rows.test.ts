import { expect, test } from 'vitest';
import { headOf } from './rows.ts';

test.each([
  [
    'class',
    'public final class Excluder implements Factory, Cloneable',
    'public final class Excluder implements Factory, Cloneable',
  ],
  ['struct', 'type Options struct', 'type Options struct'],
  ['method', 'public <T> Adapter<T> create(Gson gson)', 'public <T> Adapter<T> create(Gson gson)'],
  [
    'function',
    'def post_dump( fn: Callable | None = None, many: bool = False, ) -> Callable:',
    'def post_dump(fn: Callable | None = None, many: bool = False) -> Callable',
  ],
  ['property', 'RetryAfter func(done bool) time.Duration', 'RetryAfter func(done bool) time.Duration'],
  ['property', 'Limit int', 'property Limit int'],
  ['constant', 'LIMIT = compute(5)', 'constant LIMIT = compute(5)'],
  ['variable', 'classes', 'variable classes'],
  ['method', 'def wait(self, limit: float) -> None:', 'def wait(self, limit: float) -> None'],
  ['function', 'export const split = (path: string): string[] =>', 'export const split = (path: string): string[]'],
  ['class', '', 'class Mailer'],
])('a %s is shown with its kind where %j does not say it', (kind, signature, shown) => {
  expect(headOf({ kind, qualified: 'Mailer', signature })).toBe(shown);
});

import { expect, test } from 'vitest';
import { CODE_SPAN, codeSpan } from './code-span.ts';

test.each([
  ['send(to)', '`send(to)`'],
  ['send(\n  to,\n)', '`send( to, )`'],
  ['post(`to ${id}`);', '``post(`to ${id}`);``'],
  ['`to ${id}`', '`` `to ${id}` ``'],
  ['"```" + `a`', '```` "```" + `a` ````'],
])('%j stands in a sentence as %s, and is read again', (code, span) => {
  expect(codeSpan(code)).toBe(span);
  const read = Array.from(`Told: ${span}, and \`b\`.`.matchAll(CODE_SPAN), ([, , text = '']) => text.trim());
  expect(read).toEqual([code.replaceAll(/\s+/g, ' '), 'b']);
});

import { expect, test } from 'vitest';
import type { CodePlace } from './code.ts';
import { withoutForwarders } from './forwarders.ts';

function place(symbol: string, body: string, kind = 'function'): CodePlace {
  const about = { repo: 'shop', path: 'mail.go', start: 1, end: 2, signature: '', doc: '', score: 1, isNamed: false };
  return { symbol, body, kind, ...about };
}

const method = place('Mailer/Send', 'func (m *Mailer) Send() error {\n\tm.open()\n\treturn m.write()\n}', 'method');
const other = place('Open', 'func Open() {}');

test('what only hands its arguments on gives its place to the one of its name that does the work', () => {
  const forwarder = place('Send', 'func Send() error { return m.Send() }');

  expect(withoutForwarders([forwarder, other, method])).toEqual([method, other]);
  expect(withoutForwarders([method, other, forwarder])).toEqual([method, other]);
});

test('what does more, calls another name, or stands alone stays', () => {
  const works = place('Send', 'func Send() error {\n\tm := New()\n\tlog(m)\n\treturn m.Send()\n}');
  const calls = place('Send', 'func Send() error { return m.Open() }');
  const alone = place('Close', 'func Close() { m.Close() }');

  for (const stays of [works, calls, alone]) expect(withoutForwarders([stays, method])).toEqual([stays, method]);
});

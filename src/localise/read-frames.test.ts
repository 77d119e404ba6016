import { expect, test } from 'vitest';
import { readFrames } from './read-frames.ts';

const PLACES: readonly (readonly [string, string, string[]])[] = [
  [
    'Python, innermost first, as pytest quotes it',
    `INTERNALERROR> Traceback (most recent call last):
INTERNALERROR>   File "/app/shop/main.py", line 3, in run
INTERNALERROR>     send(order)
INTERNALERROR>   File "/app/shop/mail.py", line 12, in send
INTERNALERROR> TypeError: no address`,
    ['/app/shop/mail.py:12 send', '/app/shop/main.py:3 run'],
  ],
  [
    'a notebook',
    'File ~/shop/mail.py:12, in Mailer.send(self, to)\n---> 12 to.strip()\n~/shop/smtp.py in open(self)',
    ['~/shop/smtp.py: open', '~/shop/mail.py:12 Mailer.send'],
  ],
  [
    'JavaScript with the names of source maps',
    `TypeError: x is not a function
    at Mailer.send (webpack:///./src/mail.ts?:12:3)
    at async Promise.all (index 0)
    at async file:///app/src/shop.ts:7:1
    at new Order (/app/src/order.ts:4:9)`,
    ['src/mail.ts:12 Mailer.send', '/app/src/shop.ts:7 ', '/app/src/order.ts:4 Order'],
  ],
  ['Firefox', 'send@https://shop.example/src/mail.js:12:3', ['src/mail.js:12 send']],
  [
    'Java and Kotlin',
    `Exception in thread "main" java.lang.IllegalStateException: closed
	at com.shop.mail.Mailer$Queue.send(Mailer.java:12)
	at com.shop.mail.Mailer$1.run(Mailer.java:40)
	at app//com.shop.OrderKt.main(Order.kt)`,
    [
      'com/shop/mail/Mailer.java:12 Mailer.Queue.send',
      'com/shop/mail/Mailer.java:40 Mailer.run',
      'com/shop/Order.kt: OrderKt.main',
    ],
  ],
  [
    'Go',
    'goroutine 1 [running]:\nshop/mail.(*Mailer).Send(0x0)\n\t/app/mail/send.go:12 +0x1d\n',
    ['/app/mail/send.go:12 '],
  ],
  ['Rust', "thread 'main' panicked at src/mail.rs:12:5:\nno address", ['src/mail.rs:12 ']],
  [
    'C#',
    '   at Shop.Mail.Mailer.Send(String to) in C:\\app\\Mailer.cs:line 12',
    ['C:/app/Mailer.cs:12 Shop.Mail.Mailer.Send'],
  ],
  [
    'Ruby',
    "app/mail.rb:12:in `block in send': no address (ArgumentError)\n\tfrom app/shop.rb:3:in 'Shop#order'",
    ['app/mail.rb:12 send', 'app/shop.rb:3 Shop#order'],
  ],
  [
    'PHP',
    'PHP Fatal error: no address in /app/src/Mailer.php:12\n#0 /app/src/Shop.php(3): Shop\\Mailer->send()',
    ['/app/src/Mailer.php:12 ', '/app/src/Shop.php:3 Shop\\Mailer->send'],
  ],
  ['no trace', 'We looked at 3 files: none of them (see mail.ts) sends mail at all.', []],
];

test.each(PLACES)('reads the frames of a trace: %s', (_, text, expected) => {
  const frames = readFrames(text).map(({ path, line, symbol }) => `${path}:${line ?? ''} ${symbol ?? ''}`);

  expect(frames).toEqual(expected);
});

test('of endless recursion the first sixty frames are kept, of each place one', () => {
  const trace = Array.from({ length: 70 }, (_, at) => `    at send (/app/mail.ts:${at + 1}:3)`);

  expect(readFrames(trace.join('\n')).map(({ line }) => line)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
  expect(readFrames([trace[0], trace[0], trace[1]].join('\n'))).toHaveLength(2);
});

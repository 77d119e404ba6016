import { expect, test } from 'vitest';
import { themesAbout } from './themes-about.ts';

const theme = (place: string | null, signals = 1) => ({ place, signals });

test('a file has the themes of its folder and of those above, the nearest first, and none of a folder beside', () => {
  const near = theme('shop:src/mail', 2);
  const loud = theme('shop:src/mail', 9);
  const above = theme('shop:src', 99);
  const others = [
    theme('shop:src/mailing', 50),
    theme('other:src/mail', 50),
    theme(null, 50),
    theme('shop:src/mail/x'),
  ];

  expect(themesAbout([above, near, ...others, loud], { repo: 'shop', path: 'src/mail/send.ts' })).toEqual([
    loud,
    near,
    above,
  ]);
});

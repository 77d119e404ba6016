import { expect, test } from 'vitest';
import { readTags } from './html-tags.ts';

test('the levels of a page count what is open at a time, without tags that need no end', () => {
  expect(readTags('<div><p>a<p>b<br><img src="x"></div><ul><li><b>c</b><li>d</ul>')).toEqual({ tags: 9, levels: 2 });
  expect(readTags('<section/><section/></div><section>')).toEqual({ tags: 3, levels: 1 });
});

test('tags and texts come in their order, with decoded entities and names in upper case', () => {
  const parts: string[] = [];
  readTags('a &amp; <Em title="<b>">b</eM><!-- <i> --><script>1 < 2</script>', {
    open: (name) => parts.push(`<${name}`),
    close: (name) => parts.push(`/${name}`),
    text: (text) => parts.push(text),
  });

  expect(parts.join('|')).toBe('a |&| |<EM|b|/EM|<SCRIPT|1 < 2|/SCRIPT');
});

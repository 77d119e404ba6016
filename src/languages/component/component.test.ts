import { expect, test } from 'vitest';
import { extractComponent } from './component.ts';
import { describeFacts } from '../../testing/describe-facts.ts';
import { TooDeep } from '../typescript/typescript.ts';

test('scripts keep their positions, and only they are read', () => {
  const text =
    '<p>const a = 1</p>\r\n<script lang="ts">\r\nconst b: number = 1;\r\n</script>\r\n<style>.c {}</style>\r\n';

  expect(describeFacts(extractComponent('vue', text), ['definitions'])).toEqual([
    'constant b 3:6 value+topLevel type=Primitive(number) value=Literal(number)',
    'class default 1:0 value+exported+default+topLevel',
  ]);
});

test('a default export of the script is the component', () => {
  const facts = extractComponent('vue', '<script>export default { data() {} }</script>');

  expect(describeFacts(facts, ['exports'])).toEqual(['export default = default']);
});

test('names in the markup are uses only when the script has them, and not in texts or strings', () => {
  const text =
    '<script>import A from \'a\'; let b, c, d, e;</script>\n<A :x="b + \'c\'" d="d" @click="e()">{{ c.b }} d</A>\n';

  expect(describeFacts(extractComponent('vue', text), ['references']).filter((line) => / 2:/.test(line))).toEqual([
    'reference A 2:1 value+read',
    'reference b 2:7 value+read',
    'reference e 2:30 value+call',
    'reference c 2:38 value+read',
  ]);
});

test('a text without a script, or with one that is cut off, is a component without members', () => {
  for (const text of ['', '<b/>', '<script', '<script>let a', '<script></script>', '{'.repeat(5000)])
    expect(describeFacts(extractComponent('svelte', text), ['definitions'])).toEqual([
      'class default 1:0 value+exported+default+topLevel',
    ]);
});

test('a script that nests too deeply is refused', () => {
  expect(() => extractComponent('vue', `<script>${'('.repeat(5000)}</script>`)).toThrow(TooDeep);
});

test.each([
  [
    'vue',
    `<script setup>import * as u from './u'; import { vFocus } from './d'; const vHigh = {};</script>
<i v-focus v-high.lazy="u.a" @click="u.go(1)" /><u.Part />{{ u.b?.c() }}`,
    ['u', 'vFocus', 'vHigh', 'u.a read', 'u.go call', 'u.Part read', 'u.b read', 'b.c call'],
  ],
  [
    'vue',
    `<script setup>import * as u from './u'; let side, onPress, myId, field, size, other;</script>
<i :[side]="1" @[u.press].once="onPress" v-tip:[u.at] :my-id :size.camel /><i ref="field" :id="2" other />`,
    ['side', 'u', 'u.press read', 'u.at read', 'onPress', 'myId', 'size', 'field'],
  ],
  [
    'svelte',
    `<script>import * as u from './u';</script>
<i use:u.tip={1} in:u.fade|local />`,
    ['u', 'u.tip read', 'u.fade read'],
  ],
  [
    'svelte',
    `<script>import * as u from './u'; import { tip } from './d'; let on;</script>
<i use:tip={u.a} on:click={() => u.go(1)} class:on style:u={1} {...u.all} /><u.Part />{@html u.b.c()}`,
    ['u', 'tip', 'on', 'u.a read', 'u.go call', 'u.all read', 'u.Part read', 'u.b read', 'b.c call'],
  ],
] as const)('%s: directives and members of what the script imports are uses', (framework, text, expected) => {
  const facts = extractComponent(framework, text);
  const inMarkup = describeFacts(facts, ['references', 'members']).filter((line) => line.includes(' 2:'));
  const names = inMarkup.flatMap((line) => {
    const [section = '', name = ''] = line.split(' ');
    const receiver = /(\w+)\)+$/.exec(line)?.[1] ?? '';
    return section === 'reference' ? [name] : [`${receiver}.${name} ${line.includes('call') ? 'call' : 'read'}`];
  });

  expect(new Set(names)).toEqual(new Set(expected));
});

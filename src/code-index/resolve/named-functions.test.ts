import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

test('functions of literals are symbols wherever the literal is, those of properties from three lines on', async () => {
  const { symbols } = await resolveSources({
    'plugin.ts': [
      'export function plugin() {',
      '  return {',
      "    name: 'plugin',",
      '    config() { return {}; },',
      '    hooks: {',
      '      load: async (id: string) => {',
      '        return id;',
      '      },',
      '      skip: () => true,',
      '    },',
      '  };',
      '}',
      'createApp({ setup() { return 1; } });',
    ].join('\n'),
  });

  expect(symbols).toEqual([
    'plugin.ts#plugin',
    'plugin.ts#plugin/config',
    'plugin.ts#plugin/hooks',
    'plugin.ts#plugin/hooks/load',
    'plugin.ts#setup',
  ]);
});

test('a function that is assigned to a property is a symbol of what it is assigned to', async () => {
  const { symbols, usesOf } = await resolveSources({
    'parser.js': [
      'function Parser() {}',
      'Parser.prototype.read = function (text) { return this.peek(text); };',
      'Parser.isText = (text) => {',
      '  return text;',
      '};',
      'Parser.short = () => 1;',
      'app.handle = function handle() {};',
      'module.exports = { Parser, stop() { return 1; } };',
    ].join('\n'),
    'main.ts': "import { Parser } from './parser';\nParser.isText('a');\n",
  });

  expect(symbols).toEqual([
    'parser.js#Parser',
    'parser.js#Parser/read',
    'parser.js#Parser/isText',
    'parser.js#handle',
    'parser.js#default',
    'parser.js#default/Parser',
    'parser.js#default/stop',
  ]);
  expect(usesOf('parser.js#Parser')).toContain('main.ts:1:9 import');
});

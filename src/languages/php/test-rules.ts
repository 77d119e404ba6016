import { pathFrom, shellWord, type TestCommand, type TestTarget, type TestRules } from '../walk/test-rules.ts';

export const PHP_TESTS: TestRules = {
  blocks: /^(?:it|test|describe|arch)$/,
  command: phpTestCommand,
};

function phpTestCommand({ path, symbol, upward }: TestTarget): TestCommand | undefined {
  for (const { folder, name, text } of upward(/^(?:composer\.json|phpunit\.xml(?:\.dist)?)$/)) {
    const file = shellWord(pathFrom(folder, path));
    if (name === 'composer.json' && text.includes('"pestphp/pest"'))
      return { folder, start: 'vendor/bin/pest ', target: file };
    if (name === 'composer.json' && !/"(?:phpunit\/phpunit|symfony\/phpunit-bridge)"/.test(text)) continue;
    const isBridge = text.includes('phpunit-bridge') && !text.includes('phpunit/phpunit');
    const program = `vendor/bin/${isBridge ? 'simple-' : ''}phpunit`;
    const method = symbol.split('/').at(-1) ?? '';
    if (!/^\w+$/.test(method)) return { folder, start: `${program} `, target: file };
    return { folder, start: `${program} ${file} --filter '/::(`, target: method, join: '|', end: ")( |$)/'" };
  }
  return undefined;
}

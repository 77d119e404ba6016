import { defineLanguage, type FrameForm } from '../walk/language.ts';
import { pathFrom, shellWord, type TestCommand, type TestRules, type TestTarget } from '../walk/test-rules.ts';

/** Formats of stack traces of PHP. */
const PHP_FRAMES: readonly FrameForm[] = [
  {
    // #3 /app/src/Mailer.php(12): Shop\Mailer->send('...')
    pattern: /^\s*#\d+ (?<path>[^\s(]+\.php)\((?<line>\d+)\): (?<symbol>[\w\\]+(?:(?:->|::)\w+)?)/,
  },
  {
    // in /app/src/Mailer.php:12            in /app/src/Mailer.php on line 12
    pattern: /\bin (?<path>\/?[\w./\\-]+\.php)(?::| on line )(?<line>\d+)/,
  },
];

/** Paths of the files of packages that a package manager installed. */
const PHP_INSTALLED = /^(?:.*\/)?(?<all>vendor)\/(?<name>[^/]+\/[^/]+)\/(?<path>.+\.php)$/;

const PHP_TESTS: TestRules = {
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

export const PHP_LANGUAGE = defineLanguage({
  parser: 'php',
  names: [['PHP', 'php phtml']],
  isMarkup: true,
  hidesImports: true,
  declaresInParts: true,
  programs: /^php/,
  isUntyped: true,
  publicFiles: 'all',
  tests: PHP_TESTS,
  frames: PHP_FRAMES,
  installed: PHP_INSTALLED,
  privateCode: { isOfFile: ({ signature }) => /^(?:\w+ )*private\b/.test(signature) },
  reader: { tree: async () => (await import('./php.ts')).PHP },
});

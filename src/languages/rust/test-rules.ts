import { pathFrom, shellWord, type TestCommand, type TestTarget, type TestRules } from '../walk/test-rules.ts';

export const RUST_TESTS: TestRules = {
  examples: /^\s*\/\/[/!]\s*```\s*(?:rust|should_panic|edition\d+)?\s*$/,
  command: cargoTestCommand,
};

function cargoTestCommand({ path, symbol, isExample, upward }: TestTarget): TestCommand | undefined {
  const manifests = upward(/^Cargo\.toml$/);
  const own = manifests.find(({ text }) => /^\s*\[package\]/m.test(text));
  if (own === undefined) return undefined;
  const [, name] = /^\s*\[package\][^[]*?^\s*name\s*=\s*"([^"]+)"/ms.exec(own.text) ?? [];
  const workspace = manifests.find(({ text }) => /^\s*\[workspace\]/m.test(text)) ?? own;
  const part = workspace === own || name === undefined ? '' : ` -p ${shellWord(name)}`;
  const { folder } = workspace;
  const [, file] = /^tests\/([\w-]+)(?:\.\w+$|\/)/.exec(pathFrom(own.folder, path)) ?? [];
  if (isExample) return { folder, start: `cargo test${part} --doc `, target: symbol.split('/').at(-1) ?? '' };
  const start = `cargo test${part}${file === undefined ? '' : ` --test ${file}`}`;
  const target = symbol.replaceAll('/', '::');
  return target === '' ? { folder, start, target: '' } : { folder, start: `${start} -- `, target: shellWord(target) };
}

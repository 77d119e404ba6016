import { expect, test } from 'vitest';
import { DefinitionKind, type FileFacts } from '../facts/facts.ts';
import { describeFacts } from '../../testing/describe-facts.ts';
import { Extractors } from '../extract/extract.ts';
import type { Parser } from '../languages.ts';

const extractors = new Extractors();

const definedIn = (facts: FileFacts): string[] =>
  describeFacts(facts, ['definitions']).map((line) =>
    line.replace(/ \d+:\d+.*?( in |$)/, '$1').replace(/ type=.*/, ''),
  );

/** Functions `f1` to `f40` of a class, of which some have another body. */
function classOf(bodies: Readonly<Record<number, string>>, { head = 'class A {', word = 'fun' } = {}): string {
  const members = Array.from(
    { length: 40 },
    (_, index) => `  ${word} f${index + 1}() {\n    ${bodies[index + 1] ?? `g(${index})`}\n  }\n`,
  );
  return `${head}\n${members.join('\n')}}\n`;
}

const members = (facts: FileFacts): string[] => definedIn(facts).filter((line) => line.endsWith(' in A'));

test('of a class with a line that the grammar does not know only that line is not read, and it is reported', async () => {
  const text = classOf({ 7: '!!! ??? unknown to all', 30: '§ nobody § knows' });

  const facts = await extractors.extract('kotlin', text);

  expect(members(facts)).toHaveLength(40);
  expect([...facts.broken]).toEqual([27, 27, 119, 119]);
});

test.each<[Parser, string, { head?: string; word: string }]>([
  ['java', 'x § = ) y z;', { word: 'void' }],
  ['csharp', 'x § = ) y z;', { word: 'void' }],
  ['swift', 'let a § ) = b c', { word: 'func' }],
  ['scala', 'val § a ) = b', { word: 'def' }],
])('%s loses no member to a line that it cannot read', async (language, line, how) => {
  const facts = await extractors.extract(language, classOf({ 5: line, 20: line }, how));

  expect(members(facts)).toHaveLength(40);
  expect(facts.errors).toBeGreaterThan(0);
});

test('what follows a value that cannot be read keeps its place and its owner', async () => {
  const text = 'class A {\n  fun a(): B =\n    § ( c d\n\n  fun b() = e()\n}\n';

  const facts = await extractors.extract('kotlin', text);

  expect(members(facts)).toEqual(['method a in A', 'method b in A']);
  expect([...facts.broken]).toEqual([3, 3]);
  expect(facts.definitions.nameStart(2)).toBe(text.indexOf('b() ='));
});

test('a text that the grammar reads whole is read once, and as it is', async () => {
  const facts = await extractors.extract('kotlin', classOf({}));

  expect([facts.errors, facts.broken.length, members(facts).length]).toEqual([0, 0, 40]);
});

/** Symbols of a text as `owner/name first-last`, in order. */
async function symbolsOf(language: Parser, text: string): Promise<string[]> {
  const { definitions, lines, strings, broken } = await extractors.extract(language, text);
  const symbols: string[] = [];
  const lineAt = (offset: number): number => lines.findLastIndex((start) => start <= offset) + 1;
  for (let row = 0; row < definitions.count; row += 1) {
    if (definitions.kind(row) >= DefinitionKind.parameter || definitions.nameStart(row) < 0) continue;
    const name = strings[definitions.name(row)] ?? '';
    const owner = definitions.owner(row) === -1 ? '' : `${strings[definitions.name(definitions.owner(row))]}/`;
    symbols.push(`${owner}${name} ${lineAt(definitions.start(row))}-${lineAt(definitions.end(row) - 1)}`);
  }
  return broken.length === 0 ? symbols : [...symbols, `unread ${broken.join('-')}`];
}

test('C#: a literal that the grammar takes for the end of the class takes nothing with it but itself', async () => {
  const text = `public sealed class Labels
{
    private readonly string[] names = new string[0];
    public string First()
    {
        var s = $"{{{string.Concat("a", "b")}}}";
        return Wrap(s);
    }
    public string Wrap(string s) => s;
}
`;

  expect(await symbolsOf('csharp', text)).toEqual([
    'Labels 1-10',
    'Labels/names 3-3',
    'Labels/First 4-8',
    's 6-6',
    'Labels/Wrap 9-9',
    'unread 6-6',
  ]);
});

test('Kotlin: classes on one line, soft keywords as functions and context parameters leave their neighbours', async () => {
  const text = `class Scope { fun rect(n: Int) {} }
class Line { val x = 1 }
enum class Kind { A { override fun go() {} }, B; fun go() {} }
fun suspend(x: Int) { println(x) }
fun after() { suspend(1) }
class Particle {
    val items: List<Int>
        field = mutableListOf<Int>()
    context(scope: Scope, _: Line)
    fun draw() {
        scope.rect(1)
    }
    context(scope: Scope) private fun one() = suspend { draw() }
}
fun last() {}
`;

  expect(await symbolsOf('kotlin', text)).toEqual([
    'Scope 1-1',
    'Scope/rect 1-1',
    'Line 2-2',
    'Line/x 2-2',
    'Kind 3-3',
    'Kind/A 3-3',
    'A/go 3-3',
    'Kind/B 3-3',
    'Kind/go 3-3',
    'suspend 4-4',
    'after 5-5',
    'Particle 6-14',
    'Particle/items 7-8',
    'Particle/draw 10-12',
    'Particle/one 13-13',
    'last 15-15',
  ]);
});

test('what a reading cannot place inside of a class is cut out of it, and its line is reported', async () => {
  const text = 'class P {\n  val a = 1\n  companion { val x = 1 }\n  fun b() {}\n}\nfun after() {}\n';

  expect(await symbolsOf('kotlin', text)).toEqual(['P 1-5', 'P/a 2-2', 'P/b 4-4', 'after 6-6', 'unread 3-3']);
});

test('Ruby: of a heredoc in a heredoc the code is read', async () => {
  const text = `def outer
  a(<<~ONE, <<~TWO)
    one #{b(<<~IN.strip)}
      in #{inner}
    IN
  ONE
    two #{other}
  TWO
end
def after = 1
`;
  const facts = await extractors.extract('ruby', text);

  expect(await symbolsOf('ruby', text)).toEqual(['outer 1-9', 'after 10-10']);
  expect(describeFacts(facts, ['references']).map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual([
    'a 2:2',
    'b 3:10',
    'inner 4:11',
    'other 7:10',
  ]);
});

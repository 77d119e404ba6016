import { expect, test } from 'vitest';
import {
  withoutAnnotations,
  withoutBranches,
  withPlainArguments,
  withoutEmptyContinuations,
  withoutSpecifierMacros,
} from './preprocessor.ts';

const remainingLines = (text: string): string[] =>
  withoutBranches(text)
    .split('\n')
    .filter((line) => line.trim() !== '');

test('all branches of a condition stay that are whole declarations', () => {
  const text =
    '#ifdef A\nint f(void) { return 1; } // }\n#elif B\n#define C(x) { \\\n  x\nint g(char c);\n#else\nint h;\n#endif\n';

  expect(remainingLines(text)).toEqual([
    'int f(void) { return 1; } // }',
    '#define C(x) { \\',
    '  x',
    'int g(char c);',
    'int h;',
  ]);
  expect(withoutBranches(text)).toHaveLength(text.length);
});

test.each([
  ['a head whose body follows', '#if A\nint f() {\n#else\nint g() {\n#endif\n}', ['int f() {', '}']],
  ['a bracket of what is around', 'f(a\n#if A\n);\n#else\n, b);\n#endif', ['f(a', ');']],
  [
    'a word that needs what follows',
    '#if A\nif (a) b(); else\n#else\nc();\n#endif\nd();',
    ['if (a) b(); else', 'd();'],
  ],
])('of a condition with %s the first branch stays', (_, text, lines) => {
  expect(remainingLines(text)).toEqual(lines);
});

test('a condition inside is judged first', () => {
  const text = '#if A\nint f() {\n#if B\n  if (b)\n#else\n  {\n#endif\n  c();\n}\n#else\nint g;\n#endif';

  expect(remainingLines(text)).toEqual(['int f() {', '  if (b)', '  c();', '}', 'int g;']);
});

test('a condition that is not closed hides nothing', () => {
  expect(remainingLines('#if A\nint a;\n#else\nint b;')).toEqual(['int a;', 'int b;']);
});

test('a macro on a line of its own above a declaration is left out, a type is not', () => {
  expect(withoutAnnotations('UNUSED\nstatic int f() {}')).toBe('      \nstatic int f() {}');
  expect(withoutAnnotations('  A_BEGIN\n\n  /// c\n  template <T> class D {}')).toBe(
    '         \n\n  /// c\n  template <T> class D {}',
  );
  expect(withoutAnnotations('HANDLE\nopen(int a) {}')).toBe('HANDLE\nopen(int a) {}');
  const twoMacros = 'DECLARE_TYPE(A)\nTEST(Suite, adds) {\n}\n';
  expect(withoutAnnotations(twoMacros)).toBe(twoMacros);
  expect(withoutAnnotations('void f(int a)\n    LOCKS(b) {}')).toBe('void f(int a)\n             {}');
});

test.each([
  ['l_inline Item *next (Item *a) {}', '         Item *next (Item *a) {}'],
  ['static HOT COLD Item next(void);', 'static          Item next(void);'],
  ['API unsigned long next(void);', '    unsigned long next(void);'],
  ['API struct item *next(void);', '    struct item *next(void);'],
  ['API HOT\nvoid next(void);', '       \nvoid next(void);'],
  ['const Item FAR * CALLED next(void);', 'const Item     *        next(void);'],
  ['char INTERNAL *next(Item FAR *a);', 'char          *next(Item     *a);'],
])('macros beside the type of a function or pointer are left out: %s', (text, expected) => {
  expect(withoutSpecifierMacros(text)).toBe(expected);
});

test.each([
  'static inline const Item *next(Item *a);',
  'unsigned long int next(void);',
  'static struct item next(void);',
  'Item next(void);',
  'return a * next(b);',
  'else if (a) next(b);',
  'new Item next(b);',
  'return WIDTH * 2;',
  'static HANDLE *next(struct ITEM *a, const DATA *b);',
  '#define AREA WIDTH * HEIGHT',
])('a declaration or statement without such a macro stays as it is: %s', (text) => {
  expect(withoutSpecifierMacros(text)).toBe(text);
});

test('a definition ends before an empty line, whatever its last line says', () => {
  const text = '#define A \\\n  int a; \\\n\nstruct b {\n  A\n};\n';

  expect(withoutEmptyContinuations(text)).toBe('#define A \\\n  int a;  \n\nstruct b {\n  A\n};\n');
});

test('a macro that stands for members of a type is left out, a value of an enum is not', () => {
  expect(withoutAnnotations('struct a {\n  A_FIELDS\n};')).toBe('struct a {\n          \n};');
  expect(withoutAnnotations('struct a {\n  A_FIELDS\n  B_FIELDS\n};')).toBe('struct a {\n          \n          \n};');
  expect(withoutAnnotations('struct a {\n  int b; /* c */\n  A_FIELDS\n  /* d */\n};')).toBe(
    'struct a {\n  int b; /* c */\n          \n  /* d */\n};',
  );
  for (const text of ['enum a {\n  A_B,\n  A_C\n};', 'enum a {\n  A_B\n};', 'int a[] = {\n  A_B\n};'])
    expect(withoutAnnotations(text)).toBe(text);
});

test('rows of slashes and long names in capitals are read in one go', () => {
  // Each way to part them tried in turn would outlast the test.
  for (const text of [
    `A_FIELDS\n${'/'.repeat(60)}\n0`,
    `A_FIELDS\n${'A_B'.repeat(40)}\n0`,
    `${'A_B'.repeat(60)}(\nA_FIELDS\n}`,
  ])
    expect(withoutAnnotations(text)).toBe(text);
});

test.each([
  ['FLAG(int, size, 8, "int");', 'FLAG(0  , size, 8, "int");'],
  ['CAPTURE(run, void, char*, 4U);', 'CAPTURE(run, 0   , 0    , 4U);'],
  ['DEFAULT(unsigned long, 0L);', 'DEFAULT(0            , 0L);'],
  ['RUN(one)->Arg(1);', 'RUN(one)->Arg(1);'],
  ['  TRAIT( lt, <= )\n', '                 \n'],
  ['  TRAIT( lt, one )\n', '  TRAIT( lt, one )\n'],
  [
    'template <typename T, ENABLE_IF(!is<T>() || (a && b()))>\nvoid f(T a);',
    'template <typename T, int                              >\nvoid f(T a);',
  ],
  ['struct no : same<bool, !bool(A::value)> {};', 'struct no : same<bool, !0             > {};'],
  ['struct is\n  : same<bool, std::is<T>{}> {};', 'struct is\n  : same<bool, std::is<T>  > {};'],
  ['struct to : decltype(of<A>(0)) { int a(b); };', 'struct to : decltype(of<A>(0)) { int a(b); };'],
])('what a macro, a template or a base is given that no grammar knows is written plainly: %j', (text, written) => {
  expect(withPlainArguments(text)).toBe(written);
});

test('heads of templates and classes without an end are read in one go', () => {
  // Each beginning tried up to the end would outlast the test.
  for (const text of ['template <A, ', 'struct a : b<c>{}', 'template <A_B(', 'AAA()\n', 'struct a<'])
    expect(withPlainArguments(text.repeat(20_000))).toHaveLength(text.length * 20_000);
});

test('a definition goes on behind a comment of several lines, so that its brackets are not those of the branch', () => {
  const text = '#if A\nint a;\n#else\n#define B(c) do { \\\n /* d \\\n  * e */ \\\n } while (0)\nint f;\n#endif\n';

  expect(remainingLines(text)).toContain('int f;');
});

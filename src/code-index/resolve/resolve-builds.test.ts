import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

/** A package with an encoder. */
const encoder = (name: string): string =>
  `package ${name}\ntype Encoder struct{}\nfunc (e Encoder) Key() Encoder { return e }\n`;

/** A file for one build. */
const build = (tag: string, name: string): string =>
  `//go:build ${tag}\npackage m\nimport "m/${name}"\nvar enc = ${name}.Encoder{}\nfunc create() ${name}.Encoder { return enc }\n` +
  'type File struct{ handle int }\nfunc (f File) Close() {}\nfunc open() *File { return nil }\n';

test('Go: a use through what each build declares counts for the members of all builds', async () => {
  const { usesOf, names } = await resolveSources({
    'go.mod': 'module m\n',
    'json/json.go': `${encoder('json')}func (e Encoder) Indent() {}\n`,
    'cbor/cbor.go': encoder('cbor'),
    'enc_json.go': build('!cbor', 'json'),
    'enc_cbor.go': build('cbor', 'cbor'),
    'close.go': 'package m\nfunc (f *File) CloseAll() { f.Close() }\n',
    'use.go':
      'package m\ntype Log struct{ File }\nfunc use(log Log, f File) {\n  enc.Key().Key()\n  create().Key()\n  enc.Indent()\n' +
      '  f.Close()\n  open().CloseAll()\n  log.Close()\n  _ = f.handle\n}\n',
  });

  for (const path of ['json/json.go', 'cbor/cbor.go'])
    expect(usesOf(`${path}#Encoder/Key`)).toEqual(['use.go:4:6 call', 'use.go:4:12 call', 'use.go:5:11 call']);
  expect(usesOf('json/json.go#Encoder/Indent')).toEqual(['use.go:6:6 call']);
  for (const path of ['enc_json.go', 'enc_cbor.go']) {
    expect(usesOf(`${path}#File/Close`)).toEqual(['close.go:2:30 call', 'use.go:7:4 call', 'use.go:9:6 call']);
    expect(usesOf(`${path}#File/handle`)).toEqual(['use.go:10:8 read']);
  }
  expect(usesOf('close.go#File/CloseAll')).toEqual(['use.go:8:9 call']);
  expect(names).toEqual([]);
});

test('Rust: a use through what each cfg declares counts for the members of all', async () => {
  const { usesOf } = await resolveSources({
    'Cargo.toml': '[package]\nname = "m"\n',
    'src/lib.rs': [
      'mod a;\nmod b;',
      ...['a', 'b'].map((name) =>
        [
          `static ENC: ${name}::Enc = ${name}::Enc {};`,
          `fn create() -> ${name}::Enc { ${name}::Enc {} }`,
          `use ${name}::Enc as Sys;`,
          'struct Pos { at: u8 }',
        ]
          .map((line) => `#[cfg(feature = "${name}")]\n${line}`)
          .join('\n'),
      ),
      'impl Pos {\n  fn step(&self) -> u8 { self.at }\n}',
      'fn run(sys: Sys, pos: Pos) {\n  ENC.key();\n  create().key();\n  sys.key();\n  Sys::new().key();\n  pos.step();\n}\n',
    ].join('\n'),
    'src/a.rs': 'pub struct Enc {}\nimpl Enc {\n  pub fn key(&self) {}\n  pub fn new() -> Enc { Enc {} }\n}\n',
    'src/b.rs': 'pub struct Enc {}\nimpl Enc {\n  pub fn key(&self) {}\n  pub fn new() -> Enc { Enc {} }\n}\n',
  });

  for (const path of ['src/a.rs', 'src/b.rs']) {
    expect(usesOf(`${path}#Enc/key`)).toEqual([
      'src/lib.rs:23:6 call',
      'src/lib.rs:24:11 call',
      'src/lib.rs:25:6 call',
      'src/lib.rs:26:13 call',
    ]);
    expect(usesOf(`${path}#Enc/new`)).toEqual(['src/lib.rs:26:7 call']);
  }
  expect(usesOf('src/lib.rs#Pos/at')).toEqual(['src/lib.rs:20:30 read']);
  expect(usesOf('src/lib.rs#Pos/step')).toEqual(['src/lib.rs:27:6 call']);
});

test('Swift and C++: a use through a variable that each condition declares counts for the members of all', async () => {
  const { usesOf } = await resolveSources({
    'a.swift':
      'struct Win { func go() {} }\nstruct Pos { func go() {} }\n#if os(iOS)\nlet f = Win()\n#else\nlet f = Pos()\n#endif\n' +
      'class Box {\n#if os(iOS)\n  let g = Win()\n#else\n  let g = Pos()\n#endif\n  func run() {\n    f.go()\n    self.g.go()\n  }\n}\n',
    'a.h': 'struct Win { void go(); };\nstruct Pos { void go(); };\n',
    'a.cpp': '#include "a.h"\n#ifdef _WIN32\nstatic Win f;\n#else\nstatic Pos f;\n#endif\nvoid run() {\n  f.go();\n}\n',
  });

  for (const type of ['Win', 'Pos']) {
    expect(usesOf(`a.swift#${type}/go`)).toEqual(['a.swift:15:6 call', 'a.swift:16:11 call']);
    expect(usesOf(`a.h#${type}/go`)).toEqual(['a.cpp:8:4 call']);
  }
});

/** Methods of a type, one a line: more than the steps of a query. */
const repeat = (method: (n: number) => string): string => Array.from({ length: 5_000 }, (_, n) => method(n)).join('\n');

test.each([
  {
    language: 'Go',
    sources: {
      'go.mod': 'module m\n',
      'a.go': `package m\ntype A struct{}\n${repeat((n) => `func (a A) m${n}() {}`)}\n`,
      'b.go': 'package m\nfunc use(z Z) { z.last() }\n',
      'z.go': 'package m\ntype Z struct{}\nfunc (z Z) last() {}\n',
    },
    method: 'z.go#Z/last',
    use: 'b.go:2:18 call',
  },
  {
    language: 'Rust',
    sources: {
      'Cargo.toml': '[package]\nname = "m"\n',
      'src/lib.rs': 'mod a;\nmod b;\nmod z;\n',
      'src/a.rs': `pub struct A;\n${repeat((n) => `impl A { fn m${n}(&self) {} }`)}\n`,
      'src/b.rs': 'use crate::z::Z;\nfn go(z: Z) { z.last(); }\n',
      'src/z.rs': 'pub struct Z;\nimpl Z { pub fn last(&self) {} }\n',
    },
    method: 'src/z.rs#Z/last',
    use: 'src/b.rs:2:16 call',
  },
  {
    language: 'Swift',
    sources: {
      'a.swift': `struct A {}\n${repeat((n) => `extension A { func m${n}() {} }`)}\n`,
      'b.swift': 'func use(z: Z) { z.last() }\n',
      'z.swift': 'struct Z {}\nextension Z { func last() {} }\n',
    },
    method: 'z.swift#Z/last',
    use: 'b.swift:1:19 call',
  },
])(
  '$language: a call means a method outside its type, however many others there are',
  async ({ sources, method, use }) => {
    const { usesOf } = await resolveSources(sources);

    expect(usesOf(method)).toEqual([use]);
  },
);

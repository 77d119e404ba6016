import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

test.each([
  ['an absolute import', { 'pkg/__init__.py': '' }, 'pkg/a.py', 'app.py', 'from pkg.a import Thing'],
  ['a relative import', { 'pkg/__init__.py': '' }, 'pkg/a.py', 'pkg/b.py', 'from .a import Thing'],
  ['a relative import from above', { 'pkg/sub/__init__.py': '' }, 'pkg/a.py', 'pkg/sub/b.py', 'from ..a import Thing'],
  [
    'a re-export of the package',
    { 'pkg/__init__.py': 'from .a import Thing\n' },
    'pkg/a.py',
    'app.py',
    'from pkg import Thing',
  ],
  ['a star', { 'pkg/__init__.py': 'from .a import *\n' }, 'pkg/a.py', 'app.py', 'from pkg import *'],
  ['a src layout', { 'src/pkg/__init__.py': '' }, 'src/pkg/a.py', 'tests/t.py', 'from pkg.a import Thing'],
  ['a name space package', {}, 'pkg/sub/a.py', 'app.py', 'from pkg.sub.a import Thing'],
  ['a file beside it', {}, 'tools/a.py', 'tools/run.py', 'from a import Thing'],
  ['an alias', { 'pkg/__init__.py': '' }, 'pkg/a.py', 'app.py', 'from pkg.a import Thing as Other; Thing = Other'],
])('an import follows %s to the definition', async (...[, more, path, user, line]) => {
  const { usesOf } = await resolveSources({
    ...more,
    [path]: 'class Thing:\n    def run(self): pass\n',
    [user]: `${line}\nThing().run()\n`,
  });

  expect(usesOf(`${path}#Thing/run`)).toEqual([`${user}:2:8 call`]);
});

test('modules are values: dotted names go through packages', async () => {
  const { usesOf, importsOf } = await resolveSources({
    'pkg/__init__.py': '',
    'pkg/a.py': 'def run(): pass\n',
    'b.py': 'import pkg.a\nimport pkg.a as other\nfrom pkg import a\npkg.a.run()\nother.run()\na.run()\n',
  });

  expect(usesOf('pkg/a.py#run')).toEqual(['b.py:4:6 call', 'b.py:5:6 call', 'b.py:6:2 call']);
  expect(importsOf('b.py')).toContain('pkg/a.py');
});

test('an import of a module in packages imports that module alone', async () => {
  const { importsOf } = await resolveSources({
    'pkg/__init__.py': 'from .sub.cart import pay\n',
    'pkg/sub/__init__.py': '',
    'pkg/sub/cart.py': 'from pkg.limits import LIMIT\ndef pay(): return LIMIT\n',
    'pkg/limits.py': 'LIMIT = 1\n',
    'b.py': 'import pkg.limits as limits\nfrom pkg import pay\n',
  });

  expect(importsOf('pkg/__init__.py')).toEqual(['pkg/sub/cart.py']);
  expect(importsOf('pkg/sub/cart.py')).toEqual(['pkg/limits.py']);
  expect(importsOf('b.py')).toEqual(['pkg/__init__.py', 'pkg/limits.py']);
});

test('who imports a module from its package imports the file of the module', async () => {
  const { importsOf } = await resolveSources({
    'pkg/__init__.py': 'LIMIT = 1\n',
    'pkg/cart.py': 'def pay(): pass\n',
    'b.py': 'from pkg import cart, LIMIT\ncart.pay()\n',
  });

  expect(importsOf('b.py')).toEqual(['pkg/__init__.py', 'pkg/cart.py']);
});

const A = `from typing import Optional, List, Dict, Iterator
from contextlib import contextmanager
class Item:
    def go(self): return self
    def __enter__(self): return self
    def __exit__(self, *a): pass
    @property
    def twin(self) -> "Item": return self
    @classmethod
    def make(cls): return cls()
    @staticmethod
    def build() -> Optional["Item"]: return None
class Sub(Item):
    def sup(self): super().go()
class Holder:
    one: Item
    def __init__(self, given: List[Item]):
        self.made = Item()
        self.given = given
        self.by_key: Dict[str, Item] = {}
    def __getitem__(self, k) -> Item: ...
    def __iter__(self) -> Iterator[Item]: ...
@contextmanager
def opened() -> Iterator[Item]:
    yield Item()
def maybe(x):
    if x: return Item()
    return None
async def later(): return Item()
`;

/** Each case ends with `.go()` on line 2, which must be the method of a.py. */
test.each([
  ['a call of the class', 'Item().go()'],
  ['a chain', 'Item().go().go()'],
  ['a property', 'Item().twin.go()'],
  ['a class method', 'Item.make().go()'],
  ['a static method with a string annotation', 'Item.build().go()'],
  ['a base class', 'Sub().go()'],
  ['what a function may return', 'maybe(1).go()'],
  ['an attribute that the constructor sets', 'Holder([]).made.go()'],
  ['an attribute that is annotated', 'Holder([]).one.go()'],
  ['an element of a parameter', 'Holder([]).given[0].go()'],
  ['a dictionary', 'Holder([]).by_key["x"].go()'],
  ['items of a dictionary', 'for k, v in Holder([]).by_key.items(): v.go()'],
  ['__getitem__', 'Holder([])[0].go()'],
  ['__iter__', 'for x in Holder([]): x.go()'],
  ['a comprehension', '[x.go() for x in Holder([]).given]; [y for y in []]; Item().go()'],
  ['enumerate', 'for i, x in enumerate(Holder([]).given): x.go()'],
  ['zip', 'for x, y in zip(Holder([]).given, []): x.go()'],
  ['with', 'with Item() as x: x.go()'],
  ['a context manager', 'with opened() as x: x.go()'],
  ['await', 'async def f(): (await later()).go()'],
  ['isinstance', 'def f(x):\n  if isinstance(x, Item): x.go()'],
  ['an annotated parameter', 'def f(x: "Item | None"): x.go()'],
  ['an assignment expression', 'if (x := Item()): x.go()'],
  ['several assignments', 'x = None; x = Item(); x.go()'],
  ['type()', 'type(Item())().go()'],
  ['an alias of a type', 'Alias = Optional[Item]\ndef f(x: Alias): x.go()'],
  ['an alias that is declared', 'Alias: TypeAlias = "Item | None"\ndef f(x: Alias): x.go()'],
  ['an alias of a class object', 'Alias = type[Item]\ndef f(x: Alias): x().go()'],
  ['a context variable', 'def f(x: "ContextVar[Item]"): x.get().go()'],
  ['a lambda that a function takes', 'def take(f: Callable[[Item], None]): ...\ntake(lambda x: x.go())'],
  ['the key of sorted', 'sorted(Holder([]).given, key=lambda x: x.go())'],
  ['map', 'map(lambda x: x.go(), Holder([]).given)'],
  ['isinstance in a conditional expression', 'def f(x): return x.go() if isinstance(x, Item) else None'],
  ['isinstance before and', 'def f(x): return isinstance(x, Item) and x.go()'],
  ['isinstance that leaves', 'def f(x):\n  if not isinstance(x, Item): return\n  x.go()'],
])('a member is found through %s', async (_, line) => {
  const { usesOf } = await resolveSources({ 'a.py': A, 'use.py': `from a import *\n${line}\n` });

  const lines = line.split('\n');
  const use = `use.py:${lines.length + 1}:${lines.at(-1)?.lastIndexOf('go()')} call`;
  expect(usesOf('a.py#Item/go')).toContainEqual(use);
});

test('super calls the base, and a class body is not seen from its methods', async () => {
  const { usesOf } = await resolveSources({
    'a.py':
      'def go(): pass\nclass A:\n    def go(self): pass\n    def other(self): go()\nclass B(A):\n    def go(self): super().go()\n',
  });

  expect(usesOf('a.py#go')).toEqual(['a.py:4:21 call']);
  expect(usesOf('a.py#A/go')).toEqual(['a.py:6:26 call']);
});

test('overriding methods are a family; constructors are not', async () => {
  const { families } = await resolveSources({
    'a.py': 'class A:\n    def __init__(self): pass\n    def run(self): pass\n',
    'b.py':
      'from a import A\nclass B(A):\n    def __init__(self): pass\n    def run(self): pass\nclass C(B):\n    def run(self): pass\n',
  });

  expect(families).toEqual([['a.py#A/run', 'b.py#B/run', 'b.py#C/run']]);
});

test('a property with a setter stands where it is declared, and assignments to it are uses', async () => {
  const { usesOf, resolution } = await resolveSources({
    'a.py':
      'class A:\n    def __init__(self): self.size = 1\n    @property\n    def size(self): return 1\n    @size.setter\n    def size(self, x): pass\nA().size\n',
  });
  const lines = resolution.symbols(0, '').map((symbol) => `${symbol.name} ${symbol.line}`);

  expect(lines).toContain('size 4');
  expect(lines).not.toContain('size 2');
  expect(usesOf('a.py#A/size')).toContain('a.py:7:4 read');
});

test('keyword arguments of a data class name its fields', async () => {
  const { usesOf } = await resolveSources({
    'a.py':
      'from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: int\nclass Own:\n    x: int\n    def __init__(self, x): pass\nPoint(x=1)\nOwn(x=1)\n',
  });

  expect(usesOf('a.py#Point/x').map((use) => use.split(' ')[0])).toEqual(['a.py:8:6']);
  expect(usesOf('a.py#Own/x')).toEqual([]);
});

test('an attribute is bound to the class that declares its type, not to one that only assigns it', async () => {
  const { usesOf } = await resolveSources({
    'a.py': 'class A:\n    name: str\n    size = 1\nclass B(A):\n    name = "b"\n    size = 2\n',
    'b.py': 'from a import B\nB().name\nB().size\n',
  });

  expect(usesOf('a.py#A/name')).toEqual(['b.py:2:4 read']);
  expect(usesOf('a.py#B/name')).toEqual([]);
  expect(usesOf('a.py#B/size')).toEqual(['b.py:3:4 read']);
});

test('annotations of a method see the names of its class, and a class may take over a name from around it', async () => {
  const { usesOf } = await resolveSources({
    'a.py':
      'class Timer:\n    pass\nclass A:\n    class Info: pass\n    Timer = Timer\n    def run(self, info: Info) -> Info: ...\n',
  });

  expect(usesOf('a.py#A/Info')).toEqual(['a.py:6:24 type', 'a.py:6:33 type']);
  expect(usesOf('a.py#Timer')).toEqual(['a.py:5:12 read']);
});

test('a module of the standard library is not one that happens to lie near', async () => {
  const { usesOf } = await resolveSources({
    'src/pkg/__init__.py': '',
    'src/pkg/json/__init__.py': 'def loads(): pass\n',
    'src/pkg/json/provider.py': 'import json\njson.loads()\n',
    'src/pkg/use.py': 'from . import json\njson.loads()\n',
  });

  expect(usesOf('src/pkg/json/__init__.py#loads')).toEqual(['src/pkg/use.py:2:5 call']);
});

test('a folder of modules stands before the standard library only for what is in it', async () => {
  const { usesOf } = await resolveSources({
    'shop/__init__.py': '',
    'shop/use.py': 'from types import Kind\nKind()\n',
    'plugins/large/__init__.py': '',
    'plugins/types.py': 'class Kind: pass\n',
    'plugins/gift.py': 'from types import Kind\nKind()\n',
  });

  expect(usesOf('plugins/types.py#Kind')).toEqual(['plugins/gift.py:1:18 import', 'plugins/gift.py:2:0 call']);
});

test('an iterator that is its own iterator ends nothing', async () => {
  const { usesOf } = await resolveSources({
    'a.py': [
      'class Frames:',
      '    def __iter__(self): return self',
      '    def __next__(self): return self',
      '    def show(self): pass',
      'for frame in Frames():',
      '    frame.show()',
      'Frames().show()',
      '',
    ].join('\n'),
  });

  expect(usesOf('a.py#Frames/show')).toContain('a.py:7:9 call');
});

test('what a class calls as a module is that module where it names it', async () => {
  const { usesOf } = await resolveSources({
    'db/__init__.py': '',
    'db/query.py': 'class Dates: pass\n',
    'db/types.py': 'from . import query\nclass Dated:\n    query = query.Dates\n',
  });

  expect(usesOf('db/query.py#Dates')).toEqual(['db/types.py:3:18 read']);
});

test('a method whose self is a type variable gives what it is called on, in `with` and by calls', async () => {
  const { usesOf } = await resolveSources({
    'a.py': `from typing import TypeVar
T = TypeVar("T", bound="Client")
class Client:
    size = 1
    def get(self): ...
    def reset(self: T) -> T:
        self.get()
        return self
    @classmethod
    def make(cls: type[T]) -> T: ...
    def __enter__(self: T) -> T: ...
    async def __aenter__(self: "T") -> "T": ...
class Other(Client):
    def put(self): ...
with Other() as one:
    one.put()
async def run():
    async with Other.make() as two:
        two.reset().put()
`,
  });

  expect(usesOf('a.py#Client/get')).toEqual(['a.py:7:13 call']);
  expect(usesOf('a.py#Other/put')).toEqual(['a.py:16:8 call', 'a.py:19:20 call']);
});

test('type variables of classes and functions stand for what they are given, and values of an enumeration are of its class', async () => {
  const { usesOf } = await resolveSources({
    'a.py': `import enum
from typing import Generic, Sequence, TypeVar
T = TypeVar("T")
class Order:
    def pay(self): ...
class Store(Generic[T]):
    last: T
    def __init__(self, *first: T): ...
    def one(self) -> T: ...
    def all(self) -> list[T]: ...
class Orders(Store[Order]): ...
class Box[K]:
    def __init__(self, held: K): ...
    def open(self) -> K: ...
def first(found: Sequence[T]) -> T: ...
class Color(str, enum.Enum):
    RED = "red"
    def name_of(self): ...
Orders().one().pay()
Orders().last.pay()
for order in Orders().all(): order.pay()
def read(store: Store[Order]): store.one().pay()
Box(Order()).open().pay()
first([Order()]).pay()
Color.RED.name_of()
Color["RED"].name_of()
for color in Color: color.name_of()
`,
  });

  expect(usesOf('a.py#Order/pay').map((use) => use.split(':')[1])).toEqual(['19', '20', '21', '22', '23', '24']);
  expect(usesOf('a.py#Color/name_of').map((use) => use.split(':')[1])).toEqual(['25', '26', '27']);
});

test('calling an object uses its __call__, making one does not', async () => {
  const { usesOf } = await resolveSources({
    'a.py': `class Rate:
    def __call__(self, item: str) -> "Rate":
        return self

class Shop:
    def __init__(self, rate: Rate):
        self.rate = rate
        self.other = other()

    def total(self):
        return self.rate("x")

def other(): ...
`,
    'use.py': `from a import Rate, Shop, other
rate = Rate()
rate("x")("y")
other()
Shop(rate).rate("z")
def given(one: Rate | None, many: list[Rate]):
    one("x")
    for each in many:
        each("y")
`,
  });

  expect(usesOf('a.py#Rate/__call__')).toEqual([
    'a.py:11:20 call',
    'use.py:3:0 call',
    'use.py:5:11 call',
    'use.py:7:4 call',
    'use.py:9:8 call',
  ]);
});

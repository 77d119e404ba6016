import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

const FIXTURES = new URL('../../../fixtures/csharp/', import.meta.url);

/** A project file with references. */
const project = (...references: string[]): string =>
  `<Project><ItemGroup>${references.map((path) => `<ProjectReference Include="${path}" />`).join('')}</ItemGroup></Project>`;

const places = (uses: readonly string[]): (string | undefined)[] => uses.map((use) => use.split(' ')[0]);

test('C#: names by name space and using, members by declared types, extensions, partial classes', async () => {
  const names = readdirSync(FIXTURES).filter((name) => name.endsWith('.cs'));
  const sources = Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, FIXTURES), 'utf8')]));
  const resolved = await resolveSources(sources);
  const { usesOf } = resolved;

  expect(usesOf('Shop.cs#Cart')).toEqual(['Cart.Checks.cs:20:8 type', 'Cart.Checks.cs:27:33 type']);
  expect(places(usesOf('Shop.cs#Cart/Add'))).toEqual(['Cart.Checks.cs:31:13']);
  expect(usesOf('Goods.cs#Price')).toEqual([
    'Goods.cs:7:31 type',
    'Goods.cs:8:15 type',
    'Goods.cs:8:26 type',
    'Goods.cs:16:15 type',
    'Shop.cs:28:20 type',
    'Shop.cs:30:20 read',
    'Shop.cs:37:15 type',
    'Shop.cs:37:25 type',
    'Shop.cs:47:20 type',
  ]);
  expect(places(usesOf('Goods.cs#Price/Cents'))).toEqual([
    'Cart.Checks.cs:30:53',
    'Cart.Checks.cs:33:73',
    'Goods.cs:8:54',
    'Goods.cs:8:62',
    'Goods.cs:8:76',
    'Goods.cs:22:65',
    'Shop.cs:37:48',
    'Shop.cs:37:59',
  ]);
  expect(places(usesOf('Goods.cs#Item/Name'))).toEqual([
    'Cart.Checks.cs:19:46',
    'Cart.Checks.cs:29:42',
    'Goods.cs:13:35',
  ]);
  expect(places(usesOf('Goods.cs#Weights/Limit'))).toEqual([
    'Cart.Checks.cs:20:38',
    'Cart.Checks.cs:30:61',
    'Cart.Checks.cs:33:51',
    'Goods.cs:22:73',
  ]);
  expect(usesOf('Goods.cs#Weights/IsHeavy')).toEqual(['Shop.cs:35:40 call']);
  expect(usesOf('Shop.cs#Cart/Total/Fee')).toEqual(['Shop.cs:35:64 call']);
  expect(places(usesOf('Shop.cs#ICounted/Count'))).toEqual(['Cart.Checks.cs:33:23']);
  expect(resolved.families).toEqual([
    ['Shop.cs#Cart/Count', 'Shop.cs#ICounted/Count'],
    ['Shop.cs#Cart/Total', 'Shop.cs#Basket/Total'],
  ]);
  expect(resolved.importsOf('Shop.cs')).toEqual(['Goods.cs']);
});

test('C#: what is used for all files of a project is not for those of another', async () => {
  const { usesOf, names } = await resolveSources({
    'a/Usings.cs': 'global using Lib.A;\n',
    'a/Main.cs': 'namespace App.A;\nclass Main { void Run() { Some.Go(); } }\n',
    'b/Main.cs': 'namespace App.B;\nclass Main { void Run() { Some.Go(); } }\n',
    'lib/Some.cs': 'namespace Lib.A;\npublic static class Some { public static void Go() { } }\n',
    'lib/Other.cs': 'namespace Lib.B;\npublic static class Some { public static void Go() { } }\n',
  });

  expect(places(usesOf('lib/Some.cs#Some/Go'))).toEqual(['a/Main.cs:2:31']);
  expect(usesOf('lib/Other.cs#Some/Go')).toEqual([]);
  expect(names).toEqual(['b/Main.cs:2:26 Some', 'b/Main.cs:2:31 Go']);
});

test('C#: lambdas take what a delegate says, attributes set what their class has, extensions are called by what they take', async () => {
  const { usesOf } = await resolveSources({
    'Shop.cs': `using System;
interface IPart { bool Quiet { get; } string Name { get; } }
class PartAttribute : Attribute { public Type Sort { get; set; } public PartAttribute(string name) { } }
[Part("head", Sort = typeof(int))]
class Box<T> { public bool Take(out T value) { value = default; return true; } }
static class Boxes {
  public static bool Take<A, B>(this Box<Tuple<A, B>> box, out A a, out B b) { a = default; b = default; return true; }
  static void Both<A, B>(Box<Tuple<A, B>> box) {
    box.Take(out var a, out var b);
    box.Take(out var pair);
  }
}
class Till {
  static void Run() {
    Func<IPart, string> first = part => { if (part.Quiet) { return ""; } return part.Name; };
    Action<IPart> second = (part) => Console.Write(part.Name);
  }
}
`,
  });

  expect(places(usesOf('Shop.cs#IPart/Quiet'))).toEqual(['Shop.cs:15:51']);
  expect(places(usesOf('Shop.cs#IPart/Name'))).toEqual(['Shop.cs:15:85', 'Shop.cs:16:56']);
  expect(usesOf('Shop.cs#PartAttribute/Sort')).toEqual(['Shop.cs:4:14 write']);
  expect(places(usesOf('Shop.cs#Boxes/Take'))).toEqual(['Shop.cs:9:8']);
  expect(places(usesOf('Shop.cs#Box/Take'))).toEqual(['Shop.cs:10:8']);
});

test('C#: members of a block of extensions are those of the type that it names', async () => {
  const { usesOf } = await resolveSources({
    'Shop.cs': `class Item { public int Cents { get; set; } public void Sell() { } }
class Box<T> { public T First() { return default; } }
static class Items {
  extension(Item item) {
    public bool IsCheap => item.Cents < 100;
    public int Times(int count) { item.Sell(); return item.Cents * count; }
    public static Item Free() => new Item();
  }
  extension<T>(Box<T> box) where T : Item {
    public int Cents => box.First().Cents;
  }
  extension(Item) {
    public static Item Twice(Item item) => item;
  }
  public static bool IsOld(this Item item) => item.IsCheap;
}
class Till {
  int Run(Item item, Box<Item> box) {
    if (item.IsCheap || item.IsOld()) return item.Times(2);
    Item.Twice(Item.Free()).Sell();
    return box.Cents;
  }
}
`,
  });

  expect(places(usesOf('Shop.cs#Items/IsCheap'))).toEqual(['Shop.cs:15:51', 'Shop.cs:19:13']);
  expect(places(usesOf('Shop.cs#Items/Times'))).toEqual(['Shop.cs:19:50']);
  expect(places(usesOf('Shop.cs#Items/IsOld'))).toEqual(['Shop.cs:19:29']);
  expect(places(usesOf('Shop.cs#Items/Free'))).toEqual(['Shop.cs:20:20']);
  expect(places(usesOf('Shop.cs#Items/Twice'))).toEqual(['Shop.cs:20:9']);
  expect(places(usesOf('Shop.cs#Items/Cents'))).toEqual(['Shop.cs:21:15']);
  expect(places(usesOf('Shop.cs#Item/Sell'))).toEqual(['Shop.cs:6:39', 'Shop.cs:20:28']);
  expect(places(usesOf('Shop.cs#Item/Cents'))).toEqual(['Shop.cs:5:32', 'Shop.cs:6:59', 'Shop.cs:10:36']);
});

test('C#: of types with one full name that of the own project is meant, else of the one it references, else only the name is known', async () => {
  const config = 'namespace Shop;\npublic partial class Config { public void Open() {} }\n';
  const user = 'using Shop;\nnamespace Shop.Users;\nclass User { void Run(Config config) { config.Open(); } }\n';
  const { usesOf, names } = await resolveSources({
    'src/Api/Api.csproj': project(),
    'src/Api/Config.cs': config,
    'src/Web/Web.csproj': project(),
    'src/Web/Config.cs': config,
    'src/Web/Parts/Config.More.cs':
      'namespace Shop;\npublic partial class Config { public void Close() { Open(); } }\n',
    'src/Web/User.cs': user,
    'src/Core/Core.csproj': project('..\\Web\\Web.csproj'),
    'tests/Core.Tests/Core.Tests.csproj': project('..\\..\\src\\Core\\Core.csproj'),
    'tests/Core.Tests/User.cs': user,
    'tools/Both/Both.csproj': project('..\\..\\src\\Web\\Web.csproj', '..\\..\\src\\Api\\Api.csproj'),
    'tools/Both/User.cs': user,
  });

  expect(usesOf('src/Web/Parts/Config.More.cs#Config')).toEqual([
    'src/Web/User.cs:3:22 type',
    'tests/Core.Tests/User.cs:3:22 type',
  ]);
  expect(usesOf('src/Web/Config.cs#Config/Open')).toEqual([
    'src/Web/Parts/Config.More.cs:2:52 call',
    'src/Web/User.cs:3:46 call',
    'tests/Core.Tests/User.cs:3:46 call',
  ]);
  expect(usesOf('src/Api/Config.cs#Config')).toEqual([]);
  expect(usesOf('src/Api/Config.cs#Config/Open')).toEqual([]);
  expect(names.filter((name) => name.startsWith('tools/')).map((name) => name.split(' ')[1])).toEqual([
    'Config',
    'Open',
  ]);
});

import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

test.each([
  [
    'a.ts',
    'interface Base {}\nclass Box<T> implements Base { next?: Base; make(): Base { return new Box(); } }',
    '2:24',
  ],
  ['a.py', 'class Base: pass\nclass Box(Base):\n  next = Base()\n', '2:10'],
  ['A.java', 'interface Base {}\nclass Box<T> implements Base { Base next; }', '2:24'],
  ['a.kt', 'interface Base\nclass Box(next: Base) : Base by next', '2:24'],
  ['open.kt', 'open class Base(val size: Int)\nclass Box : Base(1)', '2:12'],
  ['a.cs', 'interface Base {}\nclass Box : Base { Base next; }', '2:12'],
  ['a.swift', 'protocol Base {}\nclass Box: Base { var next: Base? = nil }', '2:11'],
  ['a.php', '<?php\ninterface Base {}\nclass Box implements Base { private Base $next; }', '3:21'],
  ['a.scala', 'trait Base\nclass Box(next: Base) extends Base { def other: Base = next }', '2:30'],
  ['a.cpp', 'class Base {};\nclass Box : public Base { Base *next; };', '2:19'],
  ['a.rb', 'class Base; end\nclass Box < Base\n  def make; Base.new; end\nend', '2:12'],
  ['a.rs', 'trait Base {}\ntrait Box: Base { fn make() -> Box<dyn Base>; }', '2:11'],
])('%s: what a type extends or implements is named once as such', async (path, text, location) => {
  const { usesOf } = await resolveSources({ [path]: text });

  const heritage = usesOf(`${path}#Base`).filter((use) => use.endsWith('implements'));
  expect(heritage).toEqual([`${path}:${location} implements`]);
});

import { expect, test } from 'vitest';
import { isCompatible } from './compatible.ts';

test.each([
  ['a.ts', 'function send(to: string): void', 'function send(to: string, copy?: string): void', true],
  ['a.ts', 'function send(to: string): void', 'function send(to: string, copy = ""): void', true],
  ['a.ts', 'function send(to: string)', 'function send(to: string, ...others: string[])', true],
  ['a.ts', 'function send(to: string): void', 'function send(to: string, copy: string): void', false],
  ['a.ts', 'function send(to: string): void', 'function send(to: Address): void', false],
  ['a.ts', 'function send(to: string): void', 'function send(to: string): string', false],
  ['a.ts', 'function send(f: (a: string) => void)', 'function send(f: (a: string) => void, b?: Map<string, A>)', true],
  ['a.ts', 'function send(to?: string)', 'function send(to: string)', false],
  ['a.ts', 'function send(to: string)', 'function send()', false],
  ['a.ts', 'export class Mail', 'export class Mail extends Box', false],
  ['a.py', 'def send(self, to)', 'def send(self, to: str, *, copy: bool = False) -> None', true],
  ['a.py', 'def send(self, to)', 'def send(self, to: str, copy: bool = False) -> None', true],
  ['a.py', 'def send(self, to: dict) -> t.Any', 'def send(self, to: dict[str, t.Any]) -> t.Any', true],
  ['a.py', 'def send(to, copy=None)', 'def send(to, copy)', false],
  ['a.py', 'def send(to)', 'def send(to, *others, **further)', true],
  ['a.py', 'def send(to)', 'async def send(to)', false],
  ['a.rs', 'pub fn send(to: &str) -> u8', 'pub fn send(to: &str, copy: bool) -> u8', false],
  [
    'a.rs',
    'fn send<T: ?Sized>(&self, to: &T) -> u8 where T: Copy',
    'fn send<T>(&self, to: &T) -> u8 where T: Copy + ?Sized',
    true,
  ],
  ['a.rs', "fn send<'a, T: Into<Vec<u8>>, U>(to: T)", "fn send<'a, T, U>(to: T) where T: Into<Vec<u8>>", true],
  ['a.rs', 'fn send<T>(to: T) where T: Copy, Vec<T>: Sized', 'fn send<T: Copy>(to: T) where Vec<T>: Sized', true],
  ['a.rs', 'fn send<T: Copy>(to: T)', 'fn send<T>(to: T) where T: Copy + Send', false],
  ['a.rs', 'fn send<T: Copy>(to: T)', 'fn send<T>(to: T) where T: fmt::Debug', false],
  ['a.rs', 'fn send<T: Copy>(to: T)', 'fn send<T, U>(to: T) where T: Copy', false],
  ['a.rs', 'fn send<const N: usize>(to: [u8; N])', 'fn send<const N: u8>(to: [u8; N])', false],
])('%s: %s => %s is compatible: %s', (path, before, after, expected) => {
  expect(isCompatible(path, before, after)).toBe(expected);
});

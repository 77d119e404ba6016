/**
 * Types that a method takes and gives, without names of parameters and packages: `(p []byte) (n int, err error)` and `([]byte)
 * (int, error)` are both `([]byte)(int,error)`. Undefined when it cannot be read.
 */
export function typesOfSignature(signature: string, name: string): string | undefined {
  // A receiver stands in brackets before the name.
  const at = new RegExp(String.raw`(?:^|[\s)])${name}\s*\(`).exec(signature);
  if (at === null) return undefined;
  const open = at.index + at[0].length - 1;
  const close = findClosing(signature, open);
  if (close === -1) return undefined;
  const given = signature.slice(close + 1).trim();
  const isList = given.startsWith('(') && findClosing(given, 0) === given.length - 1;
  const results = isList ? typesOfList(given.slice(1, -1)) : given === '' ? [] : [withoutPackage(given)];
  return `(${typesOfList(signature.slice(open + 1, close)).join(',')})(${results.join(',')})`;
}

/** The types of a list of parameters. When one has a name, all have; several names may share the type behind the last. */
function typesOfList(list: string): string[] {
  const parts = splitList(list);
  const named = parts.map((part) => /^(\w+)\s+(?!\s*[.[(]*$)(.+)$/s.exec(part));
  const isNamed = named.some((match) => match !== null && !/^(?:chan|func|map|struct|interface)$/.test(match[1] ?? ''));
  if (!isNamed) return parts.map(withoutPackage);
  const types: string[] = [];
  let shared = '';
  for (const match of named.toReversed()) {
    if (match !== null) shared = withoutPackage(match[2] ?? '');
    types.unshift(shared);
  }
  return types;
}

/** The parts of a list at its commas outside of brackets, trimmed; an empty last one left out. */
function splitList(list: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < list.length; at += 1) {
    const character = list[at] ?? '';
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, list.slice(start).trim()].filter((part) => part !== '');
}

function findClosing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return -1;
}

/** A package writes its own types without its name. `any` is another name of the empty interface. */
function withoutPackage(type: string): string {
  return type
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\binterface\s*\{\s*\}/g, 'any')
    .replaceAll(/\b\w+\.(?=\w)/g, '')
    .trim();
}

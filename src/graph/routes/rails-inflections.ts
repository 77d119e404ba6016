type Rule = readonly [pattern: RegExp, replacement: string];

const UNCOUNTABLE = /\b(?:equipment|information|rice|money|species|series|fish|sheep|jeans|police)$/;

/** Rules of `ActiveSupport::Inflector` (8.0, inflections.rb), in the order in which it tries them. */
const SINGULAR: readonly Rule[] = [
  [/people$/, 'person'],
  [/men$/, 'man'],
  [/children$/, 'child'],
  [/(database|shoe|hive|tive|move|zombie)s$/, '$1'],
  [/(quiz)zes$/, '$1'],
  [/(matr)ices$/, '$1ix'],
  [/(vert|ind)ices$/, '$1ex'],
  [/(alias|status|bus)(?:es)?$/, '$1'],
  [/(octop|vir)(?:us|i)$/, '$1us'],
  [/(cris|test)(?:is|es)$/, '$1is'],
  [/(o|x|ch|ss|sh)es$/, '$1'],
  [/movies$/, 'movie'],
  [/([^aeiouy]|qu)ies$/, '$1y'],
  [/([lr])ves$/, '$1f'],
  [/([^f])ves$/, '$1fe'],
  [/(analy|ba|diagno|parenthe|progno|synop|the)(?:sis|ses)$/, '$1sis'],
  [/([ti])a$/, '$1um'],
  [/(news|ss)$/, '$1'],
  [/s$/, ''],
];
const PLURAL: readonly Rule[] = [
  [/person$/, 'people'],
  [/man$/, 'men'],
  [/child$/, 'children'],
  [/(quiz)$/, '$1zes'],
  [/(matr|vert|ind)(?:ix|ex)$/, '$1ices'],
  [/(x|ch|ss|sh|alias|status|bus)$/, '$1es'],
  [/([^aeiouy]|qu)y$/, '$1ies'],
  [/(?:([^f])fe|([lr])f)$/, '$1$2ves'],
  [/sis$/, 'ses'],
  [/([ti])um$/, '$1a'],
  [/(buffal|tomat)o$/, '$1oes'],
  [/(octop|vir)us$/, '$1i'],
  [/s?$/, 's'],
];

/** The name of one of a resource, as Rails makes it: `people` is `person`, `menus` `menu`, `status` itself. */
export function singularName(name: string): string {
  return inflected(name, SINGULAR);
}

/** The name of many, as Rails makes it. */
export function pluralName(name: string): string {
  return inflected(name, PLURAL);
}

function inflected(name: string, rules: readonly Rule[]): string {
  const [pattern, replacement] = UNCOUNTABLE.test(name) ? [] : (rules.find(([one]) => one.test(name)) ?? []);
  return pattern === undefined || replacement === undefined ? name : name.replace(pattern, replacement);
}

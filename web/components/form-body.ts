/** What the service demands of a field of a body, as `form-rules.json` has it from the schema of the route. */
export interface Rule {
  /** `list` of texts, `flag`, `number`, `integer`, `date` or `password`; a text without it. */
  kind?: string;
  required?: boolean;
  nullable?: boolean;
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
  choices?: readonly string[];
}

export type Rules<Body> = { readonly [Name in keyof Body]?: Rule };
type RulesByName = Readonly<Record<string, Rule | undefined>>;

type Entry<Value> = Value extends number ? string : Value extends string ? Value | '' : Value;

/** What the fields of a form hold: numbers as they are typed, lists as their untrimmed entries, empty texts for nothing. */
export type Entries<Body> = { [Name in keyof Body]-?: Entry<NonNullable<Body[Name]>> };
type EntriesByName = Readonly<Record<string, unknown>>;

/** What the fields hold at first: what is given, and nothing elsewhere. */
export function firstEntries(rules: RulesByName, given: EntriesByName): EntriesByName {
  const blank = Object.entries(rules).map(([name, rule]) => [
    name,
    rule?.kind === 'list' ? [] : rule?.kind === 'flag' ? false : '',
  ]);
  const filled = Object.entries(given).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, typeof value === 'number' ? String(value) : value]],
  );
  return Object.fromEntries([...blank, ...filled]) as EntriesByName;
}

/** Makes the body that is sent. Fields without a value are omitted, unless the service demands them. */
export function bodyOf(rules: RulesByName, entries: EntriesByName): EntriesByName {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, entry]) => {
      const value = valueOf(entry, rules[name]);
      return isEmpty(value) && rules[name]?.required !== true ? [] : [[name, value]];
    }),
  );
}

/** Makes the body of what differs from `before`: an emptied field is empty in it, or null where the service takes that. */
export function changesOf(rules: RulesByName, entries: EntriesByName, before: EntriesByName): EntriesByName {
  const changed = Object.entries(entries).flatMap(([name, entry]) => {
    const value = valueOf(entry, rules[name]);
    if (JSON.stringify(value) === JSON.stringify(valueOf(before[name], rules[name]))) return [];
    return [[name, value === '' && rules[name]?.nullable === true ? null : value]];
  });
  return Object.fromEntries(changed) as EntriesByName;
}

function valueOf(entry: unknown, rule: Rule | undefined): unknown {
  if (Array.isArray(entry)) return rule?.kind === 'list' ? textsOf(entry) : entry;
  if (typeof entry !== 'string' || rule?.kind === 'password') return entry;
  const text = entry.trim();
  return text !== '' && isNumeric(rule) ? Number(text) : text;
}

function textsOf(entries: readonly unknown[]): string[] {
  return entries.map((entry) => String(entry).trim()).filter((text) => text !== '');
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

function isNumeric(rule: Rule | undefined): boolean {
  return rule?.kind === 'number' || rule?.kind === 'integer';
}

/** Returns why the service would refuse what fields hold; those in `shown` that are true are required whatever their rule says. */
export function faultsOf(
  rules: RulesByName,
  entries: EntriesByName,
  shown: ReadonlyMap<string, boolean>,
): Record<string, string> {
  const faults = Array.from(shown, ([name, isRequired]) => {
    const rule = rules[name] ?? {};
    return [name, faultOf(entries[name], isRequired ? { ...rule, required: true } : rule)] as const;
  });
  return Object.fromEntries(faults.flatMap(([name, fault]) => (fault === undefined ? [] : [[name, fault]])));
}

function faultOf(entry: unknown, rule: Rule): string | undefined {
  const value = valueOf(entry, rule);
  if (isEmpty(value)) return rule.required === true ? 'This is required.' : undefined;
  if (isNumeric(rule)) return faultOfNumber(Number(value), rule);
  const { minLength = 0, maxLength = Infinity } = rule;
  const lengths = (Array.isArray(value) ? textsOf(value) : [String(value)]).map((text) => Array.from(text).length);
  if (lengths.some((length) => length > maxLength)) return `At most ${maxLength} characters.`;
  return lengths.some((length) => length < minLength) ? `At least ${minLength} characters.` : undefined;
}

function faultOfNumber(value: number, { kind, min = -Infinity, max = Infinity }: Rule): string | undefined {
  if (Number.isNaN(value)) return 'Enter a number.';
  if (kind === 'integer' && !Number.isInteger(value)) return 'Enter a whole number.';
  if (value < min) return `At least ${min}.`;
  return value > max ? `At most ${max}.` : undefined;
}

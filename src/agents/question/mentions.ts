/** A name of the code that a question writes like a plain word. */
export interface Mention {
  name: string;
  /** What it is said to be: `class`, `function`; undefined where that is not said. */
  kind: string | undefined;
}

const KINDS = 'class|struct|interface|trait|enum|type|protocol|function|method';
const BEHIND = new RegExp(String.raw`\b(?:${KINDS})\b`, 'i');
/** `the class Reaction`, `the Reaction class`. */
const SAID = new RegExp(
  String.raw`\b(?<kind>${KINDS})\s+(?:called |named )?(?<name>[A-Za-z_]\w+)|\bthe\s+(?<before>[A-Za-z_]\w+)\s+(?<after>${KINDS})\b`,
  'gi',
);
/** A word that is written with a capital inside of a sentence. */
const CAPITALISED = /(?<=[a-z,;:(]\s+)(?:the\s+)?([A-Z][a-z\d]+)\b/g;
const MOST = 3;

/** The names that a question may write like plain words, those with a kind first, each once. */
export function mentionsOf(question: string): Mention[] {
  const said = [...question.matchAll(SAID)].map(({ groups = {} }): Mention => {
    const { kind, name, before, after } = groups;
    return { name: name ?? before ?? '', kind: (kind ?? after)?.toLowerCase() };
  });
  const capitalised = [...question.matchAll(CAPITALISED)].map(([, name = '']): Mention => ({ name, kind: undefined }));
  const all = [...said, ...capitalised].filter(({ name }) => name !== '' && !BEHIND.test(name));
  return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at).slice(0, MOST);
}

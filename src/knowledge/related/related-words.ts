import { stem, termsOfWord, WORD } from '../../kernel/terms.ts';

/** What `bench/search/train-related.ts` writes. A line is a word and then pairs of a term and its weight in hundredths. */
interface TrainedRelations {
  /** Terms of English, each with others that translators render alike. */
  english: string;
  /** Shortened words of German, each with terms of English that translate it. */
  german: string;
}

/** A term that says much the same as another. */
interface RelatedTerm {
  term: string;
  /** 0 to 1: how sure that is. */
  weight: number;
}

/** An entry with a related term of this weight is told to have the one that was asked. */
export const LIKE_ASKED = 0.4;

/** Shortest part of a compound, in letters. */
const LEAST_PART = 4;
/** Letters that may join the parts of a German compound. */
const JOINTS = ['', 's', 'es', 'n', 'en'];

/**
 * Words that say much the same, learnt from the texts of interfaces in several languages: what is translated alike is
 * related, and German words find the English ones that translate them, compounds by their parts.
 */
export class RelatedWords {
  readonly #english: ReadonlyMap<string, readonly RelatedTerm[]>;
  readonly #german: ReadonlyMap<string, readonly RelatedTerm[]>;

  constructor({ english, german }: TrainedRelations) {
    this.#english = tableOf(english);
    this.#german = tableOf(german);
  }

  /** Terms related to a word as it is written, the surest first; never one of its own. */
  of(word: string): readonly RelatedTerm[] {
    const own = new Set(termsOfWord(word));
    const found = new Map<string, number>();
    for (const { term, weight } of [...(this.#english.get(stem(word.toLowerCase())) ?? []), ...this.#translate(word)])
      if (!own.has(term)) found.set(term, Math.max(found.get(term) ?? 0, weight));
    return Array.from(found, ([term, weight]) => ({ term, weight })).toSorted(
      (a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1),
    );
  }

  /** Terms that stand for words of a text nearly as well as its own. */
  likeAsked(text: string): string[] {
    return (text.match(WORD) ?? []).flatMap((word) =>
      this.of(word)
        .filter(({ weight }) => weight >= LIKE_ASKED)
        .map(({ term }) => term),
    );
  }

  #translate(word: string): readonly RelatedTerm[] {
    const whole = word.toLowerCase().replaceAll('ß', 'ss');
    const known = this.#german.get(germanStem(whole));
    if (known !== undefined) return known;
    // The longest last part is the likeliest: it says what kind of thing the whole is.
    for (let cut = LEAST_PART; cut <= whole.length - LEAST_PART; cut += 1) {
      const last = this.#german.get(germanStem(whole.slice(cut)));
      const first = last && this.#firstPart(whole.slice(0, cut));
      if (last !== undefined && first !== undefined) return [...last, ...first];
    }
    return [];
  }

  #firstPart(part: string): readonly RelatedTerm[] | undefined {
    for (const joint of JOINTS) {
      if (!part.endsWith(joint) || part.length - joint.length < LEAST_PART) continue;
      const known = this.#german.get(germanStem(part.slice(0, part.length - joint.length)));
      if (known !== undefined) return known;
    }
    return undefined;
  }
}

/** A German word in lower case without the ending that case, number and tense give it. */
export function germanStem(word: string): string {
  const plain = word.toLowerCase().replaceAll('ß', 'ss');
  return /^(.{4,}?)(?:ern|ers|ens|em|er|en|es|et|st|te|t|e|s|n)$/.exec(plain)?.[1] ?? plain;
}

function tableOf(lines: string): Map<string, RelatedTerm[]> {
  return new Map(
    lines.split('\n').map((line) => {
      const [word = '', ...pairs] = line.split(' ');
      return [
        word,
        pairs.map((pair) => {
          const [term = '', hundredths] = pair.split(':');
          return { term, weight: Number(hundredths) / 100 };
        }),
      ];
    }),
  );
}

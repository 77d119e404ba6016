/** Words of a question that may stand for a part of the repository: `the normalised cache's store`. */
export interface Phrase {
  /** As they stand in the question. */
  text: string;
  /** Those that tell one part from another, in lower case; paths and names in backticks as they are. */
  words: readonly string[];
  /** The word that leads to them: `in`, `with`, `the`; '' at the beginning. */
  by: string;
  /** What they say the part is: `package`, `file`; '' where they do not. */
  kind: string;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Where a part begins or ends: what asks, what links, and what is asked of a part. */
const BREAKS = wordsOf(
  'what which who whom whose where when why how whether if so then than as because since while without though there here ' +
    'do does did is are was were be been being am has have had having can could should would will may might must shall ' +
    'i we you he she it they them me us my their his her that this these those any anything anyone anywhere something everything nothing ' +
    'in inside within into on onto at by for from to with about over under between among across through throughout via around behind after before during along alongside of ' +
    'and or but not no nor only just also else too still even ever yet again already together really actually directly mostly mainly ' +
    'often usually frequently always never most more less least very much many few lot lots all both either neither ' +
    'change changes changed changing touch touched touches edit edited modify modified depend depends depended depending rely relies use uses used using ' +
    'import imports imported importing call calls called calling know knows known need needs needed reach reaches reached refer refers access accesses ' +
    'go goes going get gets got come comes start starts begin begins run runs sit sits lie lies live lives talk talks ask asks tell tells find found ' +
    'work works worked working own owns owned owning maintain maintains maintained maintaining wrote write-up written made make makes read reads reading write writes writing send sends sending add adds added adding remove removed affect affected affects break breaks broken impact tend tends keep kept ' +
    'couple coupled complicated complex complexity biggest largest longest big large long small risky fragile hard easy read understand separate separated isolated apart free independent avoid avoids avoiding bypass bypassing skip ' +
    'way ways round path paths place places reason reasons question order turn best well lean divided split grouped built laid called named somebody',
);
/** What begins a part, and belongs to none. */
const DETERMINERS = wordsOf('the a an our your its each every new');
/** Behind these stands what is said of a thing, or done by it: no part begins there. */
const PREDICATING = wordsOf(
  'is are was were be been most more less very much how so as who which what that this these those it they he she you we i when if best not never',
);
/** What kind of a thing a part is, and what any part is: it tells none from another. */
const KINDS = wordsOf(
  'package packages module modules library libraries crate crates workspace folder folders directory directories file files layer layers ' +
    'component components class classes type types function functions method methods service slice subsystem subpackage subfolder',
);
const GENERAL = wordsOf(
  'code codebase codebases repo repository project projects product source sources src part parts area areas piece pieces lines bit bits thing things stuff ' +
    'handling management processing generation logic support system mechanism functionality implementation machinery facility tool tools helper ' +
    'import imports dependency dependencies cycle cycles cyclic circular smell smells duplicate duplicated duplicates god debt circle circles loop loops hotspot hotspots change changes commit commits history churn coupling ' +
    'time year years month months week weeks day days last past recent recently latest lately next first second one two three other others another same ' +
    'general total whole entire full single own main core-most top bottom upper lower middle left right wrong rest end heart accident once ' +
    'application app program everything structure architecture design test tests testing bug bugs fix fixes everyone anyone someone people person developer developers author authors ' +
    'case sync release version danger structural violation violations boundary boundaries charge kind sort number owner owners expert experts maintainer maintainers newcomer root public average',
);

const TOKEN = /`[^`]+`|[\w@](?:[\w@./-]*[\w@])?|[’']s\b|[^\s\w]/g;
/** A path, or a name of several parts as packages have them. */
const IS_NAME = /^`|[\w@.]\/[\w@.]|^[a-z\d]+(?:-[a-z\d]+)+$|\w\.\w{1,4}$/;

/** The parts of a repository that a question may be about, in its order, each once. */
export function phrasesOf(question: string): Phrase[] {
  const phrases: Phrase[] = [];
  let by = '';
  let open: string[] = [];
  let isJoined = false;
  const close = (): void => {
    const phrase = phraseOf(open, by);
    if (phrase !== undefined && !phrases.some(({ text }) => text === phrase.text)) phrases.push(phrase);
    [open, isJoined] = [[], false];
  };
  for (const token of question.match(TOKEN) ?? []) {
    const word = token.toLowerCase();
    if (/^[’']s$/.test(word)) continue;
    if (word === 'of' && open.some((one) => !isGeneral(one))) [isJoined, open] = [true, [...open, token]];
    else if (DETERMINERS.has(word)) {
      if (isJoined && open.at(-1) === 'of') continue;
      close();
      if (by === '' || PREDICATING.has(by)) by = word;
    } else if (BREAKS.has(word) || /^[^\w`@]/.test(token)) {
      close();
      by = /^\w/.test(word) ? word : '';
    } else open = [...open, token];
  }
  close();
  return phrases;
}

function isGeneral(word: string): boolean {
  return GENERAL.has(word.toLowerCase()) || KINDS.has(word.toLowerCase()) || /^\d+$/.test(word);
}

/** The words of a phrase without those that any part may have; nothing where that leaves none, or where a predicate stands. */
function phraseOf(tokens: readonly string[], by: string): Phrase | undefined {
  const own = tokens.at(-1) === 'of' ? tokens.slice(0, -1) : tokens;
  const words = own.filter((token) => token !== 'of' && token.length > 1 && !isGeneral(token));
  const isNamed = words.some((word) => IS_NAME.test(word));
  if (words.length === 0 || (PREDICATING.has(by) && !isNamed)) return undefined;
  const kind = own.map((token) => token.toLowerCase()).find((token) => KINDS.has(token)) ?? '';
  return {
    text: own.join(' ').replaceAll('`', ''),
    words: words.map((word) => (IS_NAME.test(word) ? word.replaceAll('`', '') : word.toLowerCase())),
    by,
    kind: kind.replace(/(?:ies)$/, 'y').replace(/([^s])s$/, '$1'),
  };
}

/** All words of a description that tell one part from another: `how entrypoints are discovered`; undefined when it has none. */
export function describedBy(text: string): Phrase | undefined {
  const tokens = (text.match(TOKEN) ?? []).filter(
    (token) => /^[\w`@]/.test(token) && !BREAKS.has(token.toLowerCase()) && !DETERMINERS.has(token.toLowerCase()),
  );
  return phraseOf(tokens, 'of');
}

/** What one of several parts does, of which a question asks which it is: `which one sends the emails` → sends the emails. */
export function whichOf(question: string): string[] {
  const asked = question.matchAll(
    /\b(?:and|,)\s+which (?:one|of (?:them|these|those)|part|layer|package|folder|module)s?\s+(?<does>[^?;]+)/gi,
  );
  return [...asked]
    .flatMap(({ groups = {} }) => groups['does']?.trim() ?? [])
    .filter((does) => describedBy(does) !== undefined);
}

/** How people put a question of one kind. */
interface Phrasings {
  /** One of these ways is enough. */
  ways: readonly RegExp[];
  /** What is put alike and asks for something else. */
  except?: readonly RegExp[];
}

/** Customers by what a product calls them, who say something: `riders` of `What do riders complain about?` Texts and code say things, too. */
const CALLED = String.raw`(?<=\b(?:do|did|have|that|which|what|how many)\s+(?:the\s+|our\s+)?)(?!(?:docs|documents|pages|plans|decisions|commits|files|tests|competitors|comments|rules)\b)[a-z]{3,}s(?=\s+(?:say|said|think|feel|complain|(?:dis)?like|love|hate|want|ask|asked|mention|report)\b)`;
/** What only people do; parsers report, and handlers ask for something. */
const OF_PEOPLE = String.raw`(?=\s+(?:think|feel|complain|(?:dis)?like|love|hate)\b|\s+(?:say|said)\s+(?:about|of)\b)`;
const SAYING = String.raw`(?:say(?:s|ing)?|said|wants?|ask(?:s|ed|ing)?|complain\w*|needs?|request\w*|think|report\w*|(?:dis)?like|love|enjoy|hate|mention\w*|(?:un)?happy|(?:have|having|had) (?:trouble|problems|issues|difficult\w+)|struggl\w+)`;
const TEXTS = String.raw`(?:docs?|documentation|readme|manual|guide)`;

/** The kinds of questions. A question may be of several. */
const KINDS = {
  /** What people outside say, which nothing but their signals can answer. */
  customers: {
    ways: [
      new RegExp(
        String.raw`\b(?:customers?|users?|clients?|players?|reviewers?|people|any(?:one|body))\b[^?.]*\b${SAYING}\b`,
        'i',
      ),
      /\b(?:feedback|complaints?|feature requests?|pain points?)\b/i,
      /^who (?:asks? for|asked for|wants?|wanted|complains?|complained)\b/i,
      /\b(?:reviews?|signals?|tickets?)\s+(?:mention|say|complain|speak|are about)/i,
      /\b(?:talk|reports?)\s+(?:are\s+)?about\b/i,
      /\baccording to (?:our |the |your )?(?:customers|users|clients|players|reviewers|reviews|people)\b/i,
      new RegExp(CALLED + OF_PEOPLE, 'i'),
    ],
    // What the code does for one of them: `How does a client request a page?`
    except: [/^\W*how\s+(?:does|is|was|can)\s+(?:an?|the|each|every)\s+(?:customer|user|client)\b/i],
  },
  /** Since when something is said. */
  since: {
    ways: [
      /\bsince when\b|\bhow long have\b/i,
      /\bwhen did (?:customers?|users?|people|clients?|any(?:one|body)) (?:first|start|begin)\b/i,
    ],
  },
  plans: {
    ways: [
      /\b(?:plans?|planned|planning|roadmap|decisions?|decided|we decide|are we going to|will we|why (?:do|did|have) we)\b/i,
      /\b(?:done|open)\b[^?]*\b(?:done|open)\b/i,
    ],
  },
  /** What was decided, or why. */
  decisions: { ways: [/\b(?:why|decisions?|decided?|reasons?)\b/i] },
  /** The reason of something. How the code decides is told by the code. */
  why: { ways: [/\bwhy\b|\brationale\b|\breasons? (?:for|that|behind|why)\b/i] },
  /** What became of something, which its present state does not say. What changes something now, or happens when it changes, it does. */
  history: {
    ways: [
      /\b(?:what(?! happens)|which)\b[^?]*\bchanged\b|\bwhich (?:\w+ )?changes\b/i,
      /\bwhat changes (?:were|was|have|has|did|came|happened|concern)\b/i,
      /\bhow (?:has|have|did)\b[^?]*\b(?:changed?|evolved?|develop(?:ed)?|(?:come|came) (?:about|in|to be))\b/i,
      /\b(?:why|when|how)\s+(?:was|were|did|has|have)\b[^?]*\b(?:replaced?|removed?|dropped?|introduced?|deprecated?|renamed?|rewritten|fixed|come (?:about|in))\b/i,
      /\b(?:what|which)\b[^?]*\b(?:has|have|was|were)\b[^?]*\b(?:deprecated|removed|dropped|fixed|replaced)\b/i,
      /\bover (?:the )?(?:time|years)\b|\bhistory of\b|\bsince when\b/i,
      /\b(?:since|in|from|as of|by) (?:which|what) (?:versions?|releases?)\b/i,
    ],
  },
  /** How something that is there came in. */
  beginning: {
    ways: [
      /\b(?:why|when)\b[^?]*\b(?:introduced?|added|created|(?:come|came) in)\b/i,
      /\bsince (?:when|(?:which|what) (?:version|release))\b/i,
      /\b(?:which|what) (?:version|release)\b[^?]*\b(?:adds?|added|introduc\w+|brought|first)\b/i,
      /\bhow did\b[^?]*\b(?:come|came) (?:about|in|to be)\b/i,
    ],
    // Since when something is said is told by who says it.
    except: [/\b(?:customers?|users?|people|clients?)\b[^?]*\b(?:say|ask|complain|want|report)/i],
  },
  /** Only what is written in documents. */
  documents: {
    ways: [
      new RegExp(String.raw`^what\b[^?]*\b${TEXTS}\b[^?]*\b(?:says?|tells?|explains?|describes?)\b`, 'i'),
      new RegExp(String.raw`\bdocumented\b|\baccording to the ${TEXTS}\b`, 'i'),
      new RegExp(String.raw`^what\b[^?]*\bin the (?:\w+ )?${TEXTS}\b`, 'i'),
      /\b(?:what|which)\s+(?:known\s+)?(?:limitations|caveats)\b|\bknown limits\b/i,
    ],
  },
  /** What a thing does not do, or only under a condition. */
  limits: { ways: [/\b(?:limitations?|caveats?|known limits|restrictions)\b/i] },
} as const satisfies Record<string, Phrasings>;

type QuestionKind = keyof typeof KINDS;

/** Whether a question is of a kind. */
export function asks(kind: QuestionKind, words: string): boolean {
  const { ways, except = [] }: Phrasings = KINDS[kind];
  return ways.some((way) => way.test(words)) && !except.some((way) => way.test(words));
}

/** Whether a question asks what became of something, since when, or why: what was done answers it. */
export function asksPast(words: string): boolean {
  return asks('history', words) || asks('since', words) || asks('why', words);
}

/** A question without what a product calls those who say something. */
export function withoutCalled(words: string): string {
  return words.replaceAll(new RegExp(CALLED, 'gi'), ' ');
}

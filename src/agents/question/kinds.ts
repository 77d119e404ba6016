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
const DEPENDENT = String.raw`(?:what|who|(?:any|every)thing|any(?:one|body)|which (?:other )?(?:(?:source|code) )?(?:files?|modules?|packages?|crates?|parts?|places?|components?|class(?:es)?|code|types?|functions?)(?: (?:of|in) (?:the )?[\w-]+)?)`;

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
  /** What customers would like to have; `How many ask for refunds?` */
  wishes: {
    ways: [
      /\b(?:asks?|asked|asking)\s+for\b|\b(?:wants?|wanted|wish(?:es|ed)?|requests?|requested)\b/i,
      /\bwould\b[^?]*\blike\b/i,
    ],
  },
  /** Who says something, and of what kind of customers they are. */
  who: { ways: [/^who\b|\bwhich (?:customers?|users?|clients?|compan(?:y|ies)|segments?)\b|\b(?:by|per) segment\b/i] },
  /** What to do first: what customers complain about most. */
  priorities: {
    ways: [
      /\bwhat (?:should|must|do|can) we\b[^?]*\b(?:fix|improve|do|work on|tackle|prioriti[sz]e|build)\b[^?]*\b(?:first|next|most urgently|now)\b/i,
      /\bwhat (?:to|needs to be|should be) (?:fixe?d?|improved?|done)\b[^?]*\b(?:first|next|most urgently)\b/i,
    ],
  },
  /** What others offer. */
  competitors: { ways: [/\bcompetit(?:ors?|ion)\b/i] },
  /** Whether something is said more and more. */
  trend: {
    ways: [
      /\b(?:rising|increas\w+|growing|declin\w+|going (?:up|down)|trend\w*)\b/i,
      /\bmore\b[^?]*\b(?:lately|recently|these days|than (?:before|they (?:did|used to)))|\bcomplain\w* more\b/i,
      /\bmore (?:and more|often|frequent|common)\b|\b(?:getting|becoming) (?:worse|better)\b/i,
    ],
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
  /** What depends on a thing, not what that depends on. `What uses does it have?` asks for neither. */
  dependents: {
    ways: [
      new RegExp(
        String.raw`\b${DEPENDENT}(?: (?:else|all|that))?(?: (?:is|are))? (?:depend(?:s|ing)?|built on|builds? on|uses?|using|imports?|importing|needs?|rel(?:y|ies))\b(?! (?:is|are|does|do|has|have)\b)`,
        'i',
      ),
      // What changing or losing a thing would do.
      /\b(?:affected|impacted|impact|blast radius)\b|\bwhat\b[^?]*\b(?:breaks?|broken)\b/i,
      /\b(?:dependents|dependants|importers) of\b/i,
      /\bwhere (?:is|are)\b[^?]*\b(?:imported|used)\b/i,
    ],
  },
  /** The parts of the code. */
  parts: {
    ways: [
      /\b(?:layers?|layered|boundar(?:y|ies)|modules?|packages?|crates?|structure[ds]?|organi[sz]ed|overview|architecture|violations?|components?|building blocks|subsystems|big picture)\b/i,
      /\b(?:main|the|important|big) (?:parts|pieces)\b/i,
      /\b(?:parts|pieces|system|project|code(?:base)?|repository|application|service)\b[^?]*\b(?:consists? of|made up of)/i,
      /\b(?:divided|split|broken down|separated|grouped)\b[^?]*\binto\b/i,
      /\bhow is\b[^?]*\b(?:laid out|put together|built up|arranged|set up|composed)\b/i,
    ],
  },
  /** The parts that are built on none of the others. */
  bottom: {
    ways: [
      /\b(?:at the bottom|bottommost|lowest|lea(?:f|ves)|foundations?|foundational|self-contained)\b/i,
      /\b(?:depend(?:s|ing)? on|rel(?:y|ies|ying) on|built on|imports?|importing|uses?|using)\s+(?:none|nothing|no other|no others)\b/i,
      /\bstands? (?:on (?:their|its) own|alone)\b/i,
    ],
  },
  /** The parts on which none of the others is built. */
  top: {
    ways: [
      /\b(?:on|at the) top\b(?! of)|\b(?:topmost|highest)\b/i,
      /\b(?:nothing|nobody|no (?:one|others?))\b[^?]*\b(?:depends?|imports?|uses?|rel(?:y|ies)|builds?)\b/i,
    ],
  },
  /** Where the program is entered. */
  entries: {
    ways: [
      /\bentry ?points?\b/i,
      /\bwhere\b[^?]*\b(?:program|application|app|service|server|tool|command line|cli|execution|everything|it all)\b[^?]*\b(?:starts?|begins?|entered)\b/i,
    ],
  },
  /** What each of several parts is for. */
  purpose: {
    ways: [
      /\bwhat\b[^?]*\b(?:each|every one|they)\b[^?]*\b(?:for|do|does)\b/i,
      /\bwhat (?:does|do) (?:each|they)\b/i,
      /\b(?:purpose|role|job) of (?:each|every)\b/i,
    ],
  },
  /** Packages, not files: what was found is told by packages. */
  ofPackages: {
    ways: [
      /\b(?:which|what|any|between|among|of the)\s+(?:other\s+)?(?:packages?|modules?|crates?|workspaces?|subpackages?)\b/i,
      /\bbetween (?:the|our) (?:packages|modules|crates|workspaces)\b/i,
    ],
  },
  /** Which files changed most often, however complex they are. */
  changes: { ways: [/\bchang(?:es?|ed)\s+(?:the\s+)?(?:most|often|a lot)\b|\bmost\s+(?:often\s+)?chang/i] },
  /** What happens most often, by its count. */
  mostOften: { ways: [/\bmost (?:often|frequently)\b|\bthe most\b/i] },
  /** Where most was fixed. */
  fixes: { ways: [/\b(?:fix(?:es|ed)?|bugs?|faults?)\b/i] },
  /** Files that change together although neither refers to the other. */
  unlinked: {
    ways: [
      /\bhidden\b/i,
      /\b(?:(?:do|does|are|is) not|(?:do|does|are|is)n[’']t|without|neither|never|no)\b[^?]*\b(?:imports?|importing|refer\w*|depend\w*|uses?|using)\b/i,
    ],
  },
  /** Yes or no. */
  whether: { ways: [/^\W*(?:does|do|is|are|can|has|have)\b/i] },
} as const satisfies Record<string, Phrasings>;

type QuestionKind = keyof typeof KINDS;

/** Whether a question is of a kind. */
export function asks(kind: QuestionKind, words: string): boolean {
  const { ways, except = [] }: Phrasings = KINDS[kind];
  return ways.some((way) => way.test(words)) && !except.some((way) => way.test(words));
}

/** Where a question first asks for what is of a kind; -1 when it does not. */
function placeOf(kind: QuestionKind, words: string): number {
  const places = KINDS[kind].ways.map((way) => words.search(way)).filter((place) => place !== -1);
  return asks(kind, words) ? Math.min(...places) : -1;
}

/** Whether a question asks first what is planned or decided, and then, if at all, what customers say. */
export function asksPlansFirst(words: string): boolean {
  const [plans, customers] = [placeOf('plans', words), placeOf('customers', words)];
  return plans !== -1 && (customers === -1 || plans < customers);
}

/** Whether a question asks what became of something, since when, or why: what was done answers it. */
export function asksPast(words: string): boolean {
  return asks('history', words) || asks('since', words) || asks('why', words);
}

/** Whether a question asks for praise or for complaints; undefined when it asks for both or for anything. */
export function toneAsked(words: string): 'positive' | 'negative' | undefined {
  if (!asks('customers', words)) return undefined;
  const isWish = /\bwould\b[^?]*\blike\b/i.test(words);
  // `Competitors like this one` likes nothing.
  const said = words.replaceAll(
    /\b(?:competitors|apps?|services?|products?|devices?|brands?|others?|(?:some)?things?) like\b/gi,
    ' ',
  );
  const isPraise = !isWish && /\b(?:likes?|loves?|enjoys?|praises?|appreciates?|happy)\b/i.test(said);
  const isBlame =
    /\bcomplain\w*|\b(?:dislikes?|hates?|unhappy|pain points?|problems?|troubles?|struggl\w+|difficult\w+)\b/i.test(
      words,
    );
  return isPraise === isBlame ? undefined : isPraise ? 'positive' : 'negative';
}

/** A question without what a product calls those who say something. */
export function withoutCalled(words: string): string {
  return words.replaceAll(new RegExp(CALLED, 'gi'), ' ');
}

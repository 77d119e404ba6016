import { termsOf } from '../../kernel/terms.ts';
import { asks, withoutCalled } from './kinds.ts';

/** Words that only make a question one about a product, by what they are: texts are not searched for them. */
const FRAME = new RegExp(
  String.raw`\b(?:${[
    // What asks, and the grammar around it.
    'what|which|who|how many|how much|how far|how long|since when|when|do|does|did|is|are|was|were|have|has|had',
    'the|a|an|any|it|them|there|our|we|us|about|concern(?:s|ing)?|regarding|ever|so far|yet|known',
    // Who says something, and what kind of saying it is.
    'customers?|users?|people|clients?|any(?:one|body|thing)|some(?:one|body)|competitors?',
    'say|says|said|saying|think|want|wants|wanted|ask(?:s|ed|ing)?(?: for)?|need(?:s|ed)?|report(?:s|ed|ing)?|mention(?:s|ed|ing)?',
    'complain(?:s|ed|ing)?|complaints?|feedback|request(?:ed|ing)?|opinions?|pain points?',
    // How much of it there is.
    'most|more|biggest|main|top|(?:most )?(?:common|frequent|often)',
    // What it is worth to them.
    '(?:and )?worth',
    // What is intended.
    'plan(?:s|ned)?|roadmap|decisions?|decided?',
  ].join('|')})\b`,
  'gi',
);

/** Ways to ask how far a plan is, and what it is for: none of it is what the plan is about. */
const FRAME_OF_PLANS =
  /\b(?:cover(?:s|ed|ing)?|address(?:es|ed)?|open|left|remain(?:s|ing)?|missing|still|finished|complete[d]?|done|status|progress|milestones?|work items?|next|part of it|of it)\b/gi;

/** What customers say is of a kind, which is no subject where there is another one; nor are these. */
const KIND = /\b(?:app|(?:feature )?requests?|why|being|problems?|troubles?|issues|difficult(?:y|ies))\b/gi;

/**
 * Who says something and in what, how they find it, and whether it becomes more: no subject either, and where nothing else is left all
 * there is is asked for. What stands behind `about` is one: `What do people say about reviews?`
 */
const OF_VOICES =
  /(?<!\b(?:about|with|on|regarding)\s(?:the\s)?)\b(?:players|reviewers|reviews|signals|tickets|talk(?:s|ed|ing)?|speak(?:s|ing)?|(?:would )?(?:dis)?likes?|loves?|enjoys?|hates?|(?:un)?happy|(?:main |biggest )?problems?|rising|rises?|increas(?:e|es|ed|ing)|grow(?:s|ing)?|declin(?:e|es|ing)|going (?:up|down)|(?:(?:getting|becoming) )?(?:worse|better|more (?:often|frequent|common))|more and more|lately|recently)\b/gi;

/** Whether a question says what it is about; one that does not asks for all there is. */
export function hasSubject(words: string): boolean {
  return termsOf(withoutFrame(words)).length > 0;
}

/** A question about a product without what makes it one: who says it, and how. */
export function withoutFrame(words: string): string {
  const narrow = withoutFrameOf(withoutVoices(words));
  return termsOf(narrow).length > 0 ? narrow : withoutFrameOf(words);
}

function withoutVoices(words: string): string {
  return withoutCalled(words).replace(OF_VOICES, ' ');
}

function withoutFrameOf(words: string): string {
  // The United States are a subject.
  const said = withoutCalled(words).replace(FRAME, (word) => (word === 'US' ? word : ' '));
  const narrow = said.replace(FRAME_OF_PLANS, ' ');
  const rest = asks('plans', words) && termsOf(narrow).length > 0 ? narrow : said;
  const subject = rest.replace(KIND, ' ');
  return (termsOf(subject).length > 0 ? subject : rest)
    .replaceAll(/[?!.]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

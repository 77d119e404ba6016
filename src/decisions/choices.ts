/** A choice that a title makes, and its purpose. */
interface Choice {
  choice: string;
  subject: string;
  /** True if a verb says that it is chosen; `Redis for sessions` may be a name too. */
  isStated: boolean;
}

const CHOOSING =
  'use|adopt|choose|pick|prefer|try|standardi[sz]e on|go with|switch to|move to|migrate to|host on|deploy to|run on|rely on|add|introduce|expose|offer';
/** `Use X for Y`: what is chosen, and what for. */
const CHOICE_FIRST = new RegExp(
  String.raw`^(?:we )?(?:will )?(?:(${CHOOSING})\s+)?(.+?)\s+(?:for|as|between|(?:only )?to(?: be)?(?= (?:[a-z]+s\b|\p{L}+$))|to \p{L}+)\s+(.+)$`,
  'iu',
);
/** `Keep Y in X`, `Y is written in X`. */
const CHOICE_LAST =
  /^(?:(?:we )?(?:will )?(?:keep|store|put|write|hold|run|deploy|host|serve|build|send|publish|manage|cache|authenticate|render|log)\s+)?(.+?)\s+(?:(?:is|are|lives?|stays?|runs?|goes?|go|stands?)\s+)?(?:(?:kept|stored|held|written|hosted|deployed|served|built|sent|published|managed|cached|rendered|run|made|reported)\s+)?(?:only\s+)?(?:in|on|at|with|by|through|via|to|over)\s+(.+)$/i;
/** `Write logs as JSON`: there what is chosen stands last too. */
const CHOICE_AS =
  /^(?:keep|store|write|save|send|log)?\s*(.+?)\s+(?:(?:is|are)\s+)?(?:kept|stored|held|written|sent|saved)?\s*as\s+(.+)$/i;
/** A dash or a colon may name the subject first: `Sessions: in tables`. */
const NAMED_FIRST = /^([^:–—]{3,60})\s*[:–—]\s+(.+)$/;
/** Most words of a first-named thing that is chosen: more words say what is done about it. */
const MOST_NAMED_WORDS = 3;
/** Pattern of the end of a subject. */
const SUBJECT_END =
  /\s+(?:with|using|via|through|by|before|after|from|when|while|instead|rather|and (?:implement|use|add))\s.*$/i;

/** Returns what a title chooses, and for what: one reading for each form of words. */
export function choicesOf(title: string): Choice[] {
  const text = plainTitle(title);
  const [, first = '', object = ''] = NAMED_FIRST.exec(text) ?? [];
  const [, verb, chosen, forWhat] = CHOICE_FIRST.exec(text) ?? [];
  const [, what, purpose] = CHOICE_LAST.exec(text) ?? [];
  const [, thing, form] = /\b(?:keep|store|write|save|send|log|kept|stored|held|written|sent|saved)\b/i.test(text)
    ? (CHOICE_AS.exec(text) ?? [])
    : [];
  const isShort = object.split(/\s+/).length <= MOST_NAMED_WORDS;
  return [
    ...(isShort ? readChoice(first, object, true) : []),
    ...(thing === undefined ? readChoice(forWhat, chosen, verb !== undefined) : []),
    ...readChoice(what, purpose, true),
    ...readChoice(thing, form, true),
  ];
}

function readChoice(subject: string | undefined, choice: string | undefined, isStated: boolean): Choice[] {
  if (subject === undefined || choice === undefined || subject === '' || choice === '') return [];
  return [{ subject: subject.replace(SUBJECT_END, ''), choice: choice.replace(/^only\s+|\s+only$/gi, ''), isStated }];
}

/** The things that a title chooses, whatever for: `GOV.UK Notify` of "Use GOV.UK Notify". */
export function thingsChosen(title: string): string[] {
  const text = plainTitle(title);
  const [, , whole] = new RegExp(String.raw`^(?:we )?(?:will )?(${CHOOSING})\s+(.+)$`, 'i').exec(text) ?? [];
  const chosen = choicesOf(title).map(({ choice }) => choice);
  const named = whole ?? (text.split(/\s+/).length <= MOST_NAMED_WORDS ? text : undefined);
  return [...new Set([...chosen, ...(named === undefined ? [] : [named])])];
}

function plainTitle(title: string): string {
  return title
    .trim()
    .replace(/^[A-Z]{2,5}-?\d+\s*:\s*/, '')
    .replace(/[.!]$/, '');
}

import { toneWordsOf } from './tone-words.ts';

/** What a model knows a message by: names with how much of each there is. */
export type MessageFeatures = Map<string, number>;

const READ_CHARACTERS = 1_500;
const TOKEN = /\p{L}[\p{L}\p{N}]*(?:['’]\p{L}+)?|[?!]|[:;]-?[)(DPp/]|\p{Extended_Pictographic}/gu;
const MOST_TONE_WORDS = 3;

/** Words, pairs of neighbours, marks, words of the first line, and how many words praise and complain. */
export function messageFeatures(text: string): MessageFeatures {
  const features: MessageFeatures = new Map();
  const read = text.slice(0, READ_CHARACTERS).replace(/https?:\S+|@\w+|#/g, ' ');
  const tokens = tokensOf(read);
  for (const [at, token] of tokens.entries()) {
    features.set(token, 1);
    features.set(`${tokens[at - 1] ?? '^'} ${token}`, 1);
  }
  const [title = '', ...rest] = read.split('\n');
  if (rest.length > 0) for (const token of tokensOf(title)) features.set(`title:${token}`, 1);
  const tones = toneWordsOf(read);
  for (const sign of [1, -1] as const) {
    const count = tones.filter((tone) => tone.sign === sign).length;
    features.set(sign === 1 ? 'praise' : 'complaint', Math.min(MOST_TONE_WORDS, count));
  }
  if (rest.length > 2) features.set('several lines', 1);
  return features;
}

function tokensOf(text: string): string[] {
  return (text.match(TOKEN) ?? []).map((token) => token.toLowerCase().replaceAll('’', "'"));
}

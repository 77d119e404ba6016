import { readFileSync } from 'node:fs';

/** Ids that models of the XLM-RoBERTa family give to the begin and the end of a text, and to what no piece spells. */
const BEGIN = 0;
const END = 2;
const UNKNOWN = 3;

/** Pieces before this one are marks of the model, and are never read from a text. */
const FIRST_PIECE = 4;

/** Marks the begin of a word in a piece (U+2581). */
const WORD_MARK = '\u2581';

/** Difference in log-likelihood between an unknown character and the rarest piece, as in SentencePiece. */
const UNKNOWN_PENALTY = 10;

/** Control and formatting characters that SentencePiece drops (`nmt_nfkc`). */
const DROPPED = /[[\p{Cc}--[\t\n\f\r]]\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gv;

/** Pieces of words with their log probabilities, in the order of their ids. */
interface Pieces {
  pieces: string[];
  scores: number[];
}

export function readPieces(path: string): Pieces {
  return JSON.parse(readFileSync(path, 'utf8')) as Pieces;
}

/**
 * Splits texts into the most likely pieces, as SentencePiece's unigram model does: normalises the text (NFKC, one space
 * between words), then finds the path of highest probability over all pieces that spell it. Characters without a piece are
 * unknown, neighbours among them together. Returns ids with the marks of begin and end, at most `limit`.
 */
export function unigramTokenizer({ pieces, scores }: Pieces): (text: string, limit: number) => number[] {
  const ids = new Map(pieces.slice(FIRST_PIECE).map((piece, at) => [piece, at + FIRST_PIECE]));
  const longest = Math.max(...Array.from(ids.keys(), ({ length }) => length));
  const lowest = Math.min(...scores.slice(FIRST_PIECE));
  const unknownScore = lowest - UNKNOWN_PENALTY;

  /** The best last piece before each position of the text. */
  function bestPieces(text: string): { piece: Int32Array; start: Int32Array } {
    const total = new Float64Array(text.length + 1).fill(-Infinity);
    const piece = new Int32Array(text.length + 1);
    const start = new Int32Array(text.length + 1);
    total[0] = 0;
    const extend = (from: number, to: number, [id, score]: readonly [number, number]): void => {
      const sum = (total[from] ?? 0) + score;
      if (sum <= (total[to] ?? 0)) return;
      total[to] = sum;
      piece[to] = id;
      start[to] = from;
    };
    for (let from = 0; from < text.length; from += 1) {
      // The second half of a surrogate pair.
      if (total[from] === -Infinity) continue;
      for (let to = from + 1; to <= Math.min(from + longest, text.length); to += 1) {
        const id = ids.get(text.slice(from, to));
        if (id !== undefined) extend(from, to, [id, scores[id] ?? lowest]);
      }
      const character = (text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1;
      extend(from, from + character, [UNKNOWN, unknownScore]);
    }
    return { piece, start };
  }

  return (text, limit) => {
    const normalized = normalize(text);
    const { piece, start } = bestPieces(normalized);
    const reversed: number[] = [];
    for (let end = normalized.length; end > 0; end = start[end] ?? 0) {
      const id = piece[end] ?? UNKNOWN;
      if (id !== UNKNOWN || reversed.at(-1) !== UNKNOWN) reversed.push(id);
    }
    return [BEGIN, ...reversed.toReversed().slice(0, limit - 2), END];
  };
}

function normalize(text: string): string {
  const spaced = text.normalize('NFKC').replaceAll(DROPPED, '').replaceAll(/\s+/g, ' ').replace(/^ /, '');
  return WORD_MARK + spaced.replaceAll(' ', WORD_MARK);
}

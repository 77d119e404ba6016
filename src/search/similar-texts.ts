import { z } from 'zod';
import type { Corpus } from '../knowledge/knowledge.ts';
import type { DocumentCall } from './document-call.ts';

const MOST_SIMILAR = 3;
const TEXT_CHARACTERS = 120;

/** A part of another thing that says the same as the one that is shown. */
export const SimilarText = z.object({
  id: z.string(),
  title: z.string().optional(),
  /** Of a document, as `get` takes it. */
  section: z.string().optional(),
  customer: z.string().optional(),
  /** Its beginning. */
  text: z.string(),
  /** 0..1, by meaning, or by words where vectors are pending. */
  score: z.number(),
});
type SimilarText = z.output<typeof SimilarText>;

/** Reads what says the same as a part of a thing: signals, decisions or sections of other documents, nearest first. */
export async function readSimilar(
  { parts, context: { caller, signal } }: DocumentCall,
  part: { corpus: Corpus; id: string; part: string },
): Promise<SimilarText[]> {
  const similar = await parts.knowledge.similar(caller, part, { limit: MOST_SIMILAR, signal });
  return similar.map(({ id, title, part: section, customer, text, score }) => ({
    id,
    ...(title === '' ? {} : { title }),
    ...(section === '' ? {} : { section }),
    ...(customer === '' ? {} : { customer }),
    text: text.trim().replaceAll(/\s+/g, ' ').slice(0, TEXT_CHARACTERS),
    score: Number(score.toFixed(3)),
  }));
}

/** One line for each of them. */
export function similarNotes(similar: readonly SimilarText[]): string[] {
  return similar.map(({ id, title = '', section = '', customer = '', text }) => {
    const words = [id, title, section === '' ? '' : `section="${section}"`, customer].filter((word) => word !== '');
    return `similar: ${words.join(' · ')} · "${text}"`;
  });
}

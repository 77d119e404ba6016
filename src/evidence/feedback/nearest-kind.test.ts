import { afterAll, expect, test } from 'vitest';
import { builtInEncoder } from '../../text/encoder/built-in-encoder.ts';
import { nearestKind } from './nearest-kind.ts';

const encoder = builtInEncoder();
afterAll(() => encoder.close());

test.each([
  ['Was sind die häufigsten Beschwerden?', 'complaints'],
  ['Quais são as reclamações mais frequentes?', 'complaints'],
  ['¿Qué les gusta a nuestros clientes?', 'praise'],
  ['Co se zákazníkům líbí?', 'praise'],
  ['Wat is de gemiddelde beoordeling?', 'mean'],
  ['Qual é a nota média?', 'mean'],
  ['Welche neuen Probleme gibt es?', 'new'],
  ['Vilka nya problem har dykt upp?', 'new'],
  // Of a subject.
  ['How many reviews mention the invoice?', undefined],
  ['what do people say about delivery delays?', undefined],
  ['Was sagen die Kunden über den Versand?', undefined],
  ['O que as pessoas dizem sobre o frete?', undefined],
  ['¿Cuántos clientes mencionan el envío?', undefined],
  ['Quelle part des avis a cinq étoiles ?', undefined],
  ['Seit wann beschweren sich Leute über die Kreditkarte?', undefined],
])('%s is about %s', async (question, kind) => {
  expect(await nearestKind(encoder, question)).toBe(kind);
});

test('without the built-in encoder no kind is near', async () => {
  expect(await nearestKind(undefined, 'What are the most frequent complaints?')).toBeUndefined();
  const other = { ...encoder, model: 'another' };
  expect(await nearestKind(other, 'What are the most frequent complaints?')).toBeUndefined();
});

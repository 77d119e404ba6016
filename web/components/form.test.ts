import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { patchCompetitorPages, postSignals, postTrackers } from '../form-rules.json';
import { Field, type FormState, useForm } from './form.tsx';

type Body = Record<string, string | string[]>;

/** The markup of one field of a form. */
function show(options: Parameters<typeof useForm<Body>>[0], field: Partial<Parameters<typeof Field<Body>>[0]>): string {
  function Page() {
    const form: FormState<Body> = useForm<Body>(options, () => Promise.resolve());
    return createElement(Field<Body>, { of: form, name: 'text', label: 'Label', ...field });
  }
  return renderToStaticMarkup(createElement(Page));
}

const signal = { rules: postSignals as object };

test('a field has the limits of the service and says when it can be left out', () => {
  expect(show(signal, { name: 'text', rows: 4 })).toMatch(/>Label<.*<textarea[^>]*required[^>]*maxLength="20000"/i);
  expect(show(signal, { name: 'customer' })).toMatch(
    />Label \(optional\)<.*<input(?![^>]*required)[^>]*maxLength="400"/i,
  );
  expect(show(signal, { name: 'rating' })).toMatch(/<input(?=[^>]*type="number")(?=[^>]*min="1")(?=[^>]*max="5")/);
  expect(show(signal, { name: 'date' })).toMatch(/<input[^>]*type="date"/);
});

test('nothing is marked as optional where something is edited', () => {
  const edited = { include: ['main', '#a'] };
  const markup = show({ rules: patchCompetitorPages, edited }, { name: 'include', rows: 2 });
  expect(markup).toMatch(/>Label<.*>main\n#a<\/textarea>/s);
});

test('a field with choices offers them by their words, beside each other or as a list', () => {
  const tracker = { rules: postTrackers as object, initial: { kind: 'linear' } };
  const labels = { jira: 'Jira Cloud' };
  const group = show(tracker, { name: 'kind', labels, isGroup: true });
  expect(group.match(/(?<=value=")\w+(?=")/g)).toEqual(['github', 'gitlab', 'linear', 'jira']);
  expect(group).toMatch(/checked="" value="linear".*>Jira Cloud</);
  expect(show(tracker, { name: 'kind', labels, none: 'None' })).toMatch(
    /<option value="">None<\/option>.*<option value="linear" selected="">linear<\/option><option value="jira">Jira Cloud</,
  );
});

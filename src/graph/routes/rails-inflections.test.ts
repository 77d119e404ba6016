import { expect, test } from 'vitest';
import { pluralName, singularName } from './rails-inflections.ts';

test.each([
  ['users', 'user'],
  ['categories', 'category'],
  ['days', 'day'],
  ['addresses', 'address'],
  ['statuses', 'status'],
  ['people', 'person'],
  ['team_members', 'team_member'],
  ['children', 'child'],
  ['heroes', 'hero'],
  ['analyses', 'analysis'],
  ['indices', 'index'],
  ['shelves', 'shelf'],
  ['knives', 'knife'],
  ['archives', 'archive'],
  ['quizzes', 'quiz'],
  ['series', 'series'],
])('Rails has %s of one %s', (many, one) => {
  expect(singularName(many)).toBe(one);
});

test.each(['status', 'news', 'address', 'analysis', 'police'])('Rails takes %s for one', (name) => {
  expect(singularName(name)).toBe(name);
});

test.each([
  ['profile', 'profiles'],
  ['category', 'categories'],
  ['day', 'days'],
  ['address', 'addresses'],
  ['status', 'statuses'],
  ['person', 'people'],
  ['index', 'indices'],
  ['analysis', 'analyses'],
  ['shelf', 'shelves'],
  ['quiz', 'quizzes'],
  ['tomato', 'tomatoes'],
  ['news', 'news'],
  ['settings', 'settings'],
  ['equipment', 'equipment'],
])('Rails has many of %s as %s', (one, many) => {
  expect(pluralName(one)).toBe(many);
});

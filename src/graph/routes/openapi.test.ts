import { expect, test } from 'vitest';
import { describedOperations } from './openapi.ts';
import { mayDescribe } from './routes.ts';

const describeAll = (text: string): string[] =>
  describedOperations(text).map(({ method, path, line, operation }) => `${line} ${method} ${path} ${operation}`.trim());

test('operations of a description are read as YAML, with their ids', () => {
  const text = `openapi: 3.0.1
info:
  title: Shop
paths:
  /owners:
    parameters:
      - name: get
    get:
      tags: [owners]
      operationId: listOwners
      responses:
        200: { description: Done }
    post:
      summary: Adds one
  '/owners/{id}':
    delete:
      operationId: "deleteOwner"
components:
  schemas:
    /no:
      get: {}
`;

  expect(describeAll(text)).toEqual([
    '8 GET /owners listOwners',
    '13 POST /owners',
    '16 DELETE /owners/{id} deleteOwner',
  ]);
});

test('and as JSON, in one line too; other texts describe nothing', () => {
  const paths = { '/users/{id}': { get: { operationId: 'read_user' }, summary: 'one' }, 'x-more': {} };

  expect(describeAll(JSON.stringify({ openapi: '3.1.0', paths }))).toEqual(['1 GET /users/{id} read_user']);
  expect(describeAll(JSON.stringify({ swagger: '2.0', paths }, undefined, 2))).toEqual(['4 GET /users/{id} read_user']);
  const info = { '/users/{id}': 'in words', paths: 1 };
  expect(
    describeAll(JSON.stringify({ swagger: '2.0', info, paths: { ...paths, '/a': { put: {} } } }, undefined, 2)),
  ).toEqual(['8 GET /users/{id} read_user', '15 PUT /a']);
  expect(describeAll('{"openapi": "3.1.0", ')).toEqual([]);
  expect(describeAll(JSON.stringify({ version: '3.1.0', paths }))).toEqual([]);
  expect(['openapi.yml', 'docs/api/v1.json', 'api-docs.yaml', 'src/main.ts', 'data.json'].map(mayDescribe)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

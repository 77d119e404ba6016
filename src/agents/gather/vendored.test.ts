import { expect, test } from 'vitest';
import { isVendored } from './vendored.ts';

test('copies of others and what is made are known by name and place', () => {
  const paths = ['web/static/jquery.js', 'static/js/d3.v7.js', 'a/vendor/x.go', 'dist/a.js', 'a.min.js', 'x/api.pb.go'];

  expect(paths.filter((path) => !isVendored(path))).toEqual([]);
  expect(['src/react.ts', 'lib/mail.js', 'src/vendor.ts', 'web/static/shop.js'].filter(isVendored)).toEqual([]);
});

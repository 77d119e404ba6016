import { expect, test } from 'vitest';
import { typesOfSignature } from './store-method-sets.ts';

test.each([
  ['Read(p []byte) (n int, err error)', '([]byte)(int,error)'],
  ['func (f *File) Read([]byte) (int, error)', '([]byte)(int,error)'],
  ['Read(a, b int, c string)', '(int,int,string)()'],
  ['Read(ctx context.Context) *http.Request', '(Context)(*Request)'],
  ['Read(map[string]int, func(a int) error)', '(map[string]int,func(a int) error)()'],
  ['Read(to chan int, all ...interface{}) any', '(chan int,...any)(any)'],
  ['Read() func() (int, error)', '()(func() (int, error))'],
  ['Write()', undefined],
])('%s', (signature, types) => {
  expect(typesOfSignature(signature, 'Read')).toBe(types);
});

import { expect, test } from 'vitest';
import { parseForm } from './form.ts';

test.each([
  ['', {}],
  ['a=1&b=', { a: '1', b: '' }],
  ['a%5Bb%5D=1&a[c][d]=2', { a: { b: '1', c: { d: '2' } } }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
  ['a[0][b]=1&a[1][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
  ['a=x+y%26z', { a: 'x y&z' }],
  ['a[b=1', { 'a[b': '1' }],
  ['a[2]=1', { a: { 2: '1' } }],
  ['a=1&a[b]=2', { a: { b: '2' } }],
])('%s', (text, expected) => {
  expect(JSON.parse(JSON.stringify(parseForm(text)))).toEqual(expected);
});

test('no parameter reaches a prototype', () => {
  const parsed = parseForm('__proto__[polluted]=1&constructor[prototype][polluted]=1');
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
  expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor']);
});

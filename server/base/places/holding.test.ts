import { expect, test } from 'vitest';
import { writes } from './holding.ts';

test.each([
  ['insert into things (tenant) values ($1)', true],
  ['update things set version = version + 1 where tenant = $1', true],
  ['delete from things\n where tenant = $1', true],
  ['with due as (select id from things for update skip locked)\n update things t set state = 1 from due', true],
  ['with gone as (delete from things where tenant = $1 returning id) select count(*) from gone', true],
  ['insert into things (tenant) values ($1) on conflict (tenant) do update set version = 2', true],
  ['select id from things where tenant = $1', false],
  ['select id from things where tenant = $1 for update', false],
  ['select id from things where tenant = $1 for no key update skip locked', false],
  ['select t.id from things t join others o using (id) for update of t', false],
  ['select updated_at, deleted_from, insert_into from things', false],
])('%s', (text, isWriting) => {
  expect(writes.test(text)).toBe(isWriting);
});

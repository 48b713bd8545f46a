import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../base/id.ts';
import { Type } from '../base/schema.ts';
import { Flag, MaybeMoment, MaybeText, Moment, Shown, Text, Whole } from './schemas.ts';
import { from, type Sources, serializer, timeByClock, timeInId } from './serializer.ts';

const BookOutput = Shown('Book', 'book', 'Something to read.', {
  title: Text('What it is called.'),
  subtitle: MaybeText('What it is also called.'),
  pages: Whole('How many it has.'),
  author: Type.Object({ name: Text('Who wrote it.') }),
  long: Flag('Whether it has many pages.'),
  lent_at: MaybeMoment('When somebody took it.'),
  created: Moment('When it was printed.'),
});

type Book = {
  id: string;
  title: string;
  subtitle: string | null;
  pages: number;
  writer: string;
  lent_at: Date | null;
  shelf: number;
};

const serializeBook = serializer<Book, typeof BookOutput>(BookOutput, {
  author: from(['writer'], ({ writer }) => ({ name: writer })),
  long: from(['pages'], ({ pages }) => pages > 500),
  created: timeInId,
});

const printed = 1_700_000_000;
const id = newId('bk', printed * 1_000);
const book: Book = { id, title: 'Emma', subtitle: null, pages: 474, writer: 'Austen', lent_at: null, shelf: 3 };
const plain = { id, object: 'book', title: 'Emma', pages: 474, author: { name: 'Austen' }, long: false };

test('a member is the column of its name or what its source makes, and is left out when it is null', () => {
  expect(serializeBook(book)).toStrictEqual({ ...plain, created: printed });
});

test('members stand in the order of the schema', () => {
  const lent = { ...book, subtitle: 'A novel', lent_at: new Date(1_800_000_000_999) };
  expect(JSON.stringify(serializeBook(lent))).toBe(
    JSON.stringify({
      ...{ id, object: 'book', title: 'Emma', subtitle: 'A novel', pages: 474, author: { name: 'Austen' } },
      ...{ long: false, lent_at: 1_800_000_000, created: printed },
    }),
  );
});

test('false, zero and the empty text are values', () => {
  const empty = { ...book, subtitle: '', pages: 0, lent_at: new Date(0) };
  expect(serializeBook(empty)).toMatchObject({ subtitle: '', pages: 0, long: false, lent_at: 0 });
});

test('it knows the columns that it reads', () => {
  expect(serializeBook.columns).toEqual(['id', 'title', 'subtitle', 'pages', 'writer', 'lent_at']);
});

const MoveOutput = Shown('Move', 'move', 'From here to there.', {
  start: Text('From where.'),
  end: MaybeText('Where to.'),
  reason: MaybeText('Why.'),
  created: Moment('When.'),
});
type Move = { id: string; start: string; target: string | null; reason: string | null; created_at: Date | null };

test('a member can be another column, and stand earlier than in the schema', () => {
  const sources = { end: 'target', created: timeByClock } as const;
  const serialize = serializer<Move, typeof MoveOutput>(MoveOutput, sources, { created: 'end', reason: 'end' });
  const move = { id, start: 'A', target: 'B', reason: 'why not', created_at: new Date(5_000) };
  expect(JSON.stringify(serialize(move))).toBe(
    JSON.stringify({ id, object: 'move', start: 'A', created: 5, reason: 'why not', end: 'B' }),
  );
  expect(serialize({ ...move, created_at: null }).created).toBe(printed);
});

test('a member without a source, or one that does not fit, does not compile', () => {
  // @ts-expect-error The row has no column of the name `end`.
  serializer<Move, typeof MoveOutput>(MoveOutput, { created: timeByClock });
  // @ts-expect-error `start` is not optional, and `target` can be null.
  serializer<Move, typeof MoveOutput>(MoveOutput, { start: 'target', end: 'target', created: timeByClock });
  // @ts-expect-error There is no such member.
  serializer<Move, typeof MoveOutput>(MoveOutput, { end: 'target', created: timeByClock, note: 'reason' });
  expect.assertions(0);
});

type Cells = Record<string, unknown>;

/** What a member can be declared as, and the values that its column may have. */
const kinds = {
  text: { schema: Text, values: fc.string() },
  optionalText: { schema: MaybeText, values: fc.option(fc.string()) },
  whole: { schema: Whole, values: fc.integer() },
  moment: { schema: Moment, values: fc.date({ noInvalidDate: true }) },
  optionalMoment: { schema: MaybeMoment, values: fc.option(fc.date({ noInvalidDate: true }), { nil: undefined }) },
};
const words = fc
  .oneof(fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/), fc.constantFrom('constructor', 'default', 'valueOf'))
  .filter((word) => word !== 'object');
const memberKinds = fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[]));
const declared = fc.array(fc.tuple(words, memberKinds, fc.boolean()), { maxLength: 8 });

test('what is compiled makes what reading the declaration member by member makes', () => {
  fc.assert(
    fc.property(declared, fc.gen(), (members, value) => {
      const kindOf = new Map(members.map(([name, kind]) => [name, kind]));
      const renamed = new Set(members.flatMap(([name, , isRenamed]) => (isRenamed ? [name] : [])));
      const output = Type.Object(Object.fromEntries([...kindOf].map(([name, kind]) => [name, kinds[kind].schema('')])));
      const sources = Object.fromEntries(
        [...renamed].map((name) => [name, from([`of_${name}`], (row: Cells) => row[`of_${name}`])]),
      );
      const row: Cells = {};
      const shown: Cells = {};
      for (const [name, kind] of kindOf) {
        const cell = value(() => kinds[kind].values as fc.Arbitrary<string | number | Date | null | undefined>);
        row[renamed.has(name) ? `of_${name}` : name] = cell;
        if (cell instanceof Date) shown[name] = Math.floor(cell.getTime() / 1_000);
        else if (cell !== null && cell !== undefined) shown[name] = cell;
      }
      const serialize = serializer(output, sources as Sources<unknown, typeof output>);
      expect(JSON.stringify(serialize(row))).toBe(JSON.stringify(shown));
    }),
  );
});

test('a name that is no word is never written into code', () => {
  for (const name of ['__proto__', 'a-b', 'a; process.exit()', '1st', ''])
    expect(() => serializer(Type.Object({ [name]: Text('Odd.') }), {})).toThrow('is not a word');
});

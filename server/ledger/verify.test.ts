import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Keyring } from '../base/keyring.ts';
import { Secret } from '../base/secret.ts';
import { ledgerWorld, other, shop, type World } from './ledger.fixture.ts';
import { sealOf } from './seal.ts';

let world: World;
const ids = ['A', 'B', 'C', 'D', 'E', 'F'].map((letter) => `txn_${letter}`);

beforeAll(async () => {
  world = await ledgerWorld();
});
afterAll(() => world.stop());

/** Three blocks of two postings each, and one block of another tenant. */
beforeEach(async () => {
  await world.empty();
  for (const [at, id] of ids.entries()) {
    await world.post({ id, amount: 100 + at });
    if (at === 0) await world.post({ tenant: other, id });
    if (at % 2 === 1) await world.sealAll();
  }
});

describe('verifying a chain', () => {
  test('that is intact finds nothing, and returns its head', async () => {
    const { rows } = await world.sql.query(
      `select encode(seal, 'hex') as seal from ledger_blocks where tenant = 1 order by number desc limit 1`,
    );
    await world.post({ id: 'txn_G' });
    expect(await world.verify()).toEqual({
      ...{ blocks: 3, head: rows[0].seal, postings: 7, unsealed: 1, problem: undefined },
    });
    expect(await world.verify(other)).toMatchObject({ blocks: 1, postings: 1, problem: undefined });
  });

  const addedAt = (position: string, id: string) =>
    `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on, position)
     select tenant, '${id}', kind, debit, credit, amount, currency, 'py_new', payment, available_on, ${position}
       from postings where tenant = 1 and id = 'txn_C'`;
  const altered = (id: string, block: number) => `in block ${block}, the posting ${id} was altered after it was sealed`;
  const wrongSeal = (block: number) => `block ${block} was altered: its seal is wrong`;

  const cases: [string, string, string | null, string][] = [
    ...(
      [
        ['amount', 'amount + 1'],
        ['currency', `'usd'`],
        ['debit', `'fees'`],
        ['credit', `'fees'`],
        ['kind', `'fee'`],
        ['source', `source || 'x'`],
        ['payment', `payment || 'x'`],
        ['reference', `''`],
        ['available_on', 'available_on + 1'],
        ['available_on', `'infinity'`],
      ] as const
    ).map(([column, value]): [string, string, string, string] => [
      `an altered ${column}`,
      `update postings set ${column} = ${value} where tenant = 1 and id = 'txn_C'`,
      'txn_C',
      altered('txn_C', 2),
    ]),
    [
      'two amounts that were swapped',
      `update postings set amount = 207 - amount where tenant = 1 and id in ('txn_D', 'txn_E')`,
      'txn_D',
      altered('txn_D', 2),
    ],
    [
      'two ids that were swapped',
      `update postings set id = 'txn_X' where tenant = 1 and id = 'txn_C';
       update postings set id = 'txn_C' where tenant = 1 and id = 'txn_D';
       update postings set id = 'txn_D' where tenant = 1 and id = 'txn_X'`,
      'txn_D',
      altered('txn_D', 2),
    ],
    [
      'a posting that was deleted within a block',
      `delete from postings where tenant = 1 and id = 'txn_C'`,
      null,
      'in block 2, a posting is missing before txn_D, the first one',
    ],
    [
      'a posting that was deleted at the end of a block',
      `delete from postings where tenant = 1 and id = 'txn_F'`,
      null,
      'in block 3, a posting is missing after txn_E, the last one',
    ],
    [
      'the deletion of all postings of a block',
      `delete from postings where tenant = 1 and id in ('txn_C', 'txn_D')`,
      null,
      'in block 2, a posting is missing with no other posting left',
    ],
    [
      'a posting that was added within a block',
      addedAt('position', 'txn_CC'),
      'txn_CC',
      'in block 2, the posting txn_CC, between txn_C and txn_D, was not sealed',
    ],
    [
      'a posting that was added at the end of a block',
      addedAt(`(select position from postings where tenant = 1 and id = 'txn_F')`, 'txn_Z'),
      'txn_Z',
      'in block 3, the posting txn_Z, after txn_F, the last one, was not sealed',
    ],
    [
      'a posting that was moved to another position',
      `update postings set position = (select position from postings where tenant = 1 and id = 'txn_E')
        where tenant = 1 and id = 'txn_C'`,
      null,
      'in block 2, a posting is missing before txn_D, the first one',
    ],
    [
      'a posting that was moved to another tenant',
      `update postings set tenant = 2 where tenant = 1 and id = 'txn_C'`,
      null,
      'in block 2, a posting is missing before txn_D, the first one',
    ],
    [
      'altered leaves',
      `update ledger_blocks set leaves = set_byte(leaves, 20, get_byte(leaves, 20) # 1) where tenant = 1 and number = 2`,
      null,
      wrongSeal(2),
    ],
    [
      'an altered seal',
      `update ledger_blocks set seal = set_byte(seal, 0, get_byte(seal, 0) # 1) where tenant = 1 and number = 2`,
      null,
      wrongSeal(2),
    ],
    [
      'an altered range',
      `update ledger_blocks set to_position = to_position + 1 where tenant = 1 and number = 2`,
      null,
      wrongSeal(2),
    ],
    [
      'a block that was moved from another tenant',
      `delete from ledger_blocks where tenant = 1 and number = 1;
       update ledger_blocks set tenant = 1 where tenant = 2`,
      null,
      wrongSeal(1),
    ],
    ['the first block gone', 'delete from ledger_blocks where tenant = 1 and number = 1', null, 'block 1 is missing'],
    [
      'some blocks gone',
      'delete from ledger_blocks where tenant = 1 and number < 3',
      null,
      'blocks 1 to 2 are missing',
    ],
    [
      'the last block gone, and nothing else',
      'delete from ledger_blocks where tenant = 1 and number = 3',
      'txn_E',
      'the posting txn_E is in no block, but should be',
    ],
    [
      'a gap that was numbered over',
      `delete from ledger_blocks where tenant = 1 and number = 2;
       update ledger_blocks set number = 2 where tenant = 1 and number = 3`,
      null,
      wrongSeal(2),
    ],
  ];
  test.each(cases)('names %s', async (_, tampering, id, message) => {
    await world.sql.query(tampering);
    expect((await world.verify()).problem).toEqual({ id, message });
  });

  test('names postings that were sealed twice, because sealed_to was moved back', async () => {
    const { rows } = await world.sql.query('select from_position from ledger_blocks where tenant = 1 and number = 3');
    await world.sql.query('update ledger_sealer set sealed_to = $1', [rows[0].from_position]);
    await world.sealAll();
    expect((await world.verify()).problem?.message).toBe('block 4 overlaps the block before it');
  });

  test('names a block that reaches beyond sealed_to', async () => {
    const { rows } = await world.sql.query('select from_position from ledger_blocks where tenant = 1 and number = 3');
    const { from_position } = rows[0];
    await world.sql.query('update ledger_sealer set sealed_to = $1', [from_position]);
    const message = `block 3 reaches beyond position ${from_position}, where sealing has ended`;
    expect((await world.verify()).problem).toEqual({ id: null, message });
  });

  test('needs the key: with the database alone, nobody can make a valid seal', async () => {
    await world.sql.query(`update postings set amount = 1 where tenant = 1 and id = 'txn_F'`);
    const strange = new Keyring(new Secret(randomBytes(32)));
    const { rows } = await world.sql.query(
      'select tenant, number, from_position, to_position, leaves, seal from ledger_blocks where tenant = 1 order by number',
    );
    const forged = sealOf(strange, rows[1].seal, rows[2]);
    await world.sql.query('update ledger_blocks set seal = $1 where tenant = 1 and number = 3', [forged]);
    expect((await world.verify()).problem?.message).toBe(wrongSeal(3));
  });

  test('does not detect an end that was removed with its postings; only a head that was noted does', async () => {
    const { head } = await world.verify();
    await world.sql.query(`delete from postings where tenant = 1 and id in ('txn_E', 'txn_F')`);
    await world.sql.query('delete from ledger_blocks where tenant = 1 and number = 3');
    const cut = await world.verify();
    expect(cut).toMatchObject({ blocks: 2, problem: undefined });
    expect(cut.head).not.toBe(head);
  });
});

test('a chain longer than a page, with blocks longer than a page, is read to its end', async () => {
  await world.empty();
  const fill = (count: number) =>
    world.sql.query(
      `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on)
       select 1, 'txn_' || gen_random_uuid(), 'payment', 'processor', 'balance', n, 'eur', gen_random_uuid(), 'py', '2027-01-10'
         from generate_series(1, $1::int) n`,
      [count],
    );
  await fill(4_500);
  await world.sealAll();
  for (let n = 0; n < 18; n++) {
    await fill(1);
    await world.sealAll();
  }
  expect(await world.verify(shop)).toMatchObject({ blocks: 19, postings: 4_518, unsealed: 0, problem: undefined });
  const { rows } = await world.sql.query('select id from postings order by position desc limit 1');
  await world.sql.query('update postings set amount = amount + 1 where tenant = 1 and id = $1', [rows[0].id]);
  expect((await world.verify(shop)).problem).toMatchObject({ id: rows[0].id });
});

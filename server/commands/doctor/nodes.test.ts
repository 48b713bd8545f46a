import { expect, test } from 'vitest';
import { type CheckedNode, findingsAbout } from './nodes.ts';

const facts = { wal_level: 'logical', prepared: 100, plugins: null, admitted: 1_000, migrations: ['0001', '0002'] };

function nodeOf(group: number, more: Omit<Partial<CheckedNode>, 'facts'> & { facts?: object } = {}): CheckedNode {
  const node = { group, host: `node${group}`, port: 5432, isCoordinator: group === 0, isActive: true };
  return { node, name: `node${group}:5432`, places: group === 0 ? 0 : 2, ...more, facts: { ...facts, ...more.facts } };
}

function wrongAbout(node: CheckedNode, processes = 4): string[] {
  const found = findingsAbout([nodeOf(0), nodeOf(1), node], ['0001', '0002'], { processes });
  return found.filter(({ state }) => state === 'wrong').map(({ name, message }) => `${name}: ${message}`);
}

test('a cluster in which nothing is wrong', () => {
  expect(findingsAbout([nodeOf(0), nodeOf(1), nodeOf(2)], ['0001', '0002'], { processes: 4 })).toEqual([
    { name: 'nodes', state: 'ok', message: 'all 3 servers of the cluster answer' },
    { name: 'moves', state: 'ok', message: 'places can be moved and split while they are used' },
    { name: 'places', state: 'ok', message: 'accounts are in 4 places on 2 servers' },
    { name: 'connections', state: 'ok', message: 'every server has enough connections for 4 processes' },
  ]);
});

test.each<[problem: string, node: CheckedNode, found: string]>([
  [
    'is taken out',
    nodeOf(2, { node: { ...nodeOf(2).node, isActive: false } }),
    'nodes: the server node2:5432 is not active',
  ],
  [
    'was not prepared',
    nodeOf(2, { facts: { migrations: null } }),
    'schema: the server node2:5432 is not prepared for places',
  ],
  [
    'is older',
    nodeOf(2, { facts: { migrations: ['0001'] } }),
    'schema: the server node2:5432 has another schema than the coordinator: it lacks 0002',
  ],
  ['is newer', nodeOf(2, { facts: { migrations: ['0001', '0002', '0003'] } }), 'it has 0003 as well'],
  [
    'has no logical log',
    nodeOf(2, { facts: { wal_level: 'replica' } }),
    'moves: the server node2:5432 has wal_level = replica',
  ],
  ['prepares no transactions', nodeOf(2, { facts: { prepared: 0 } }), 'has max_prepared_transactions = 0'],
  [
    'decodes without Citus',
    nodeOf(2, { facts: { plugins: 'pgoutput, test_decoding' } }),
    "has output_plugin_libraries = 'pgoutput, test_decoding'",
  ],
  ['has too many places', nodeOf(2, { places: 9 }), 'places: the server node2:5432 has 9 places'],
  [
    'admits few connections',
    nodeOf(2, { facts: { admitted: 99 } }),
    'connections: the server node2:5432 admits 99 connections, and this gateway needs 110 there',
  ],
])('a server that %s', (_, node, found) => {
  expect(wrongAbout(node)).toEqual([expect.stringContaining(found)]);
});

test('a server that does not answer, of which nothing else is said', () => {
  const silent = {
    ...nodeOf(2),
    facts: undefined,
    reason: 'connect ECONNREFUSED. Start it.',
  } as unknown as CheckedNode;
  expect(wrongAbout(silent)).toEqual([
    'nodes: the server node2:5432 does not answer: connect ECONNREFUSED. Start it. It has 2 places.',
  ]);
});

test('libraries may be quoted, and places need connections in each process', () => {
  expect(wrongAbout(nodeOf(2, { facts: { plugins: '"pgoutput", "citus"' } }))).toEqual([]);
  expect(wrongAbout(nodeOf(2, { facts: { admitted: 99 } }), 3)).toEqual([]);
});

import { expect, test } from 'vitest';
import { type Config, readConfig } from '../config.ts';
import { neededConnections, partOf } from './part_of.ts';

const dev = readConfig('dev', {
  CONNECTIONS_PER_ADDRESS: '1000',
  WEBHOOKS_PER_ENDPOINT: '8',
  WEBHOOKS_PER_INSTANCE: '2000',
});

test.each([
  [1, { connectionsPerAddress: 1_000, webhookLimits: { perEndpoint: 8, perInstance: 2_000 } }],
  [3, { connectionsPerAddress: 334, webhookLimits: { perEndpoint: 3, perInstance: 667 } }],
  [64, { connectionsPerAddress: 16, webhookLimits: { perEndpoint: 1, perInstance: 32 } }],
])('of %i processes, each has its share of the limits', (processes, share) => {
  const config: Config = { ...dev, processes };
  expect(partOf(config)).toEqual({ ...config, ...share });
});

test('connections are needed for each process, for one that replaces another, and for commands', () => {
  expect([2, 4, 8].map(neededConnections)).toEqual([49, 75, 127]);
});

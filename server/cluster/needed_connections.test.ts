import { expect, test } from 'vitest';
import { neededConnections } from './needed_connections.ts';

test('connections are needed for each process, for one that replaces another, and for commands', () => {
  expect([2, 4, 8].map((processes) => neededConnections(processes))).toEqual([49, 75, 127]);
});

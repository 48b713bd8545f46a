import Counter from 'prom-client/lib/counter.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import { expect, test } from 'vitest';
import { RequestCounts } from './request_counts.ts';

const bounds = [0.001, 0.01, 0.1];
const names = { count: { name: 'requests_total', help: 'Counted.' }, seconds: { name: 'seconds', help: 'Timed.' } };
const requests = [
  ['customers.create', 200, 0.0005],
  ['customers.create', 200, 0.001],
  ['customers.create', 400, 0.0011],
  ['payments.list', 200, 0.05],
  ['payments.list', 200, 99],
] as const;

test('the metrics read like those of prom-client itself', async () => {
  const ours = new Registry();
  const counts = new RequestCounts(ours, bounds, names);
  const theirs = new Registry();
  const registers = [theirs];
  const counter = new Counter({ ...names.count, labelNames: ['operation', 'status'], registers });
  const histogram = new Histogram({ ...names.seconds, labelNames: ['operation'], buckets: [...bounds], registers });
  for (const [operation, status, seconds] of requests) {
    counts.add(operation, status, seconds);
    counter.inc({ operation, status });
    histogram.observe({ operation }, seconds);
  }
  const text = await theirs.metrics();
  expect(text).toContain('seconds_bucket{le="+Inf",operation="payments.list"} 2');
  expect(await ours.metrics()).toBe(text);
  expect(await ours.metrics()).toBe(text); // reading changes nothing
});

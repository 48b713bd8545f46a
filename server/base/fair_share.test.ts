import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Unavailable } from './errors.ts';
import { FairShare, type FairShareOptions } from './fair_share.ts';

/** Work that ends on demand, and what has begun so far. */
function workshop(places: number, each: number, queue: Partial<FairShareOptions> = {}) {
  const share = new FairShare<string>({ places, each, ...queue });
  const begun: string[] = [];
  const open: { owner: string; end: () => void; fail: () => void }[] = [];
  return {
    begun,
    open,
    start(owner: string): Promise<string> {
      return share.run(owner, () => {
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        begun.push(owner);
        open.push({ owner, end: () => resolve(owner), fail: () => reject(new Error(owner)) });
        return promise;
      });
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('an owner has its share, and a place that becomes free goes to the owner with the fewest', async () => {
  const { begun, open, start } = workshop(3, 2);
  const all = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(start);
  await turn();
  expect(begun).toEqual(['a', 'a', 'b']);
  open[0]!.end();
  await turn();
  expect(begun).toEqual(['a', 'a', 'b', 'c']); // c has none, and the others have one
  open[3]!.end();
  await turn();
  expect(begun).toHaveLength(5);
  for (let at = 0; at < open.length; at++, await turn()) open[at]!.end();
  expect(await Promise.all(all)).toHaveLength(7);
});

test('work that fails gives its place back', async () => {
  const { open, start } = workshop(1, 1);
  const [first, second] = [start('a'), start('b')];
  await turn();
  open[0]!.fail();
  await expect(first).rejects.toThrow('a');
  await turn();
  open[1]!.end();
  expect(await second).toBe('b');
});

test('work that has waited too long is refused, and the next one is admitted all the same', async () => {
  const share = new FairShare<string>({ places: 1, each: 1, patienceMs: 1 });
  const { promise: held, resolve: end } = Promise.withResolvers<string>();
  const first = share.run('a', () => held);
  await expect(share.run('b', async () => 'never')).rejects.toThrow(Unavailable);
  end('done');
  expect(await first).toBe('done');
  expect(await share.run('c', async () => 'next')).toBe('next');
});

test('where the queue is bounded, work that finds it full is refused immediately, and an owner that has more waiting gives way', async () => {
  const refuse = () => new Error('full');
  const { begun, open, start } = workshop(1, 1, { waitingMax: { each: 3, all: 4 }, refuse });
  const results = ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'd', 'e', 'e', 'f'].map((owner) => start(owner).catch(String));
  await turn();
  // One of a runs and three wait: the fifth is one too many. b takes the last place; c and d take one of a's each, and a has one left.
  for (let at = 0; at < open.length; at++, await turn()) open[at]!.end();
  const full = 'Error: full';
  expect(await Promise.all(results)).toEqual(['a', 'a', full, full, full, 'b', 'c', 'd', full, full, full]);
  expect(begun).toEqual(['a', 'a', 'b', 'c', 'd']);
});

test('whatever arrives and ends in whatever order: limits hold, no place stays free, and all work is done', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.nat({ max: 5 })), { maxLength: 40 }),
      async (places, each, steps) => {
        const { open, start } = workshop(places, each);
        const waiting = new Map<string, number>();
        const done: Promise<string>[] = [];
        const check = () => {
          const running = (owner: string) => open.filter((work) => work.owner === owner).length;
          expect(open.length).toBeLessThanOrEqual(places);
          for (const owner of ['a', 'b', 'c']) {
            expect(running(owner)).toBeLessThanOrEqual(each);
            const hasWaiting = (waiting.get(owner) ?? 0) > running(owner);
            if (open.length < places && hasWaiting) expect(running(owner)).toBe(each);
          }
        };
        const end = async (at: number) => {
          const [work] = open.splice(at % open.length, 1);
          waiting.set(work!.owner, waiting.get(work!.owner)! - 1);
          work!.end();
          await turn();
          check();
        };
        for (const step of steps) {
          if (typeof step === 'number') {
            if (open.length > 0) await end(step);
            continue;
          }
          waiting.set(step, (waiting.get(step) ?? 0) + 1);
          done.push(start(step));
          await turn();
          check();
        }
        while (open.length > 0) await end(0);
        expect(await Promise.all(done)).toEqual(steps.filter((step) => typeof step === 'string'));
      },
    ),
    { numRuns: 50 },
  );
});

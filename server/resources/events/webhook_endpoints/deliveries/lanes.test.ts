import { describe, expect, test } from 'vitest';
import type { LeasedDelivery } from './due.ts';
import { type Lane, Lanes, laneName } from './lanes.ts';

const due = (endpoint: string) => ({ tenant: 1, endpoint });
const delivery = (endpoint: string, id: string, version = 2) =>
  ({ tenant: 1, endpoint, id, version }) as unknown as LeasedDelivery;

class Scene {
  now = 0;
  lanes: Lanes;
  #made = 0;

  constructor(limits = { perEndpoint: 8, perInstance: 100 }) {
    this.lanes = new Lanes(limits, () => this.now);
  }

  room(...endpoints: string[]): number[] {
    const shares = this.lanes.share(endpoints.map(due));
    return endpoints.map((endpoint) => shares.find((share) => share.endpoint === endpoint)?.room ?? 0);
  }

  /** Takes as many as there is capacity for, of `left` that are due. */
  take(endpoint: string, left = 1_000): Lane {
    const [room] = this.room(endpoint);
    const taken = Array.from({ length: Math.min(room!, left) }, () => delivery(endpoint, `whd_${this.#made++}`));
    return this.lanes.accept(laneName(due(endpoint)), taken, room!);
  }

  begin(lane: Lane): LeasedDelivery[] {
    const begun: LeasedDelivery[] = [];
    for (let next = this.lanes.next(lane); next !== undefined; next = this.lanes.next(lane)) begun.push(next);
    return begun;
  }

  /** A receiver that has answered one in time. */
  quick(endpoint: string): void {
    const lane = this.take(endpoint, 1);
    const [one] = this.begin(lane);
    this.lanes.answered(lane, 5);
    this.lanes.settled(lane, one!);
  }
}

describe('room', () => {
  test('is the maximum in flight, until the receiver has answered quickly', () => {
    const scene = new Scene({ perEndpoint: 8, perInstance: 1_000 });
    expect(scene.room('we_a')).toEqual([8]);
    scene.quick('we_a');
    expect(scene.room('we_a', 'we_b')).toEqual([128, 8]);
  });

  test('is two for each endpoint once half is taken, and two for an endpoint that holds nothing even when all is taken', () => {
    const scene = new Scene({ perEndpoint: 8, perInstance: 32 });
    expect(scene.room('a', 'b', 'c', 'd', 'e')).toEqual([8, 8, 2, 2, 2]);
    for (const endpoint of 'abcdefghij') scene.take(endpoint);
    expect(scene.lanes.held).toHaveLength(32);
    expect(scene.room('a', 'new', 'newer')).toEqual([0, 2, 2]);
    for (let at = 0; at < 16; at++) scene.take(`late${at}`);
    expect(scene.lanes.held).toHaveLength(64);
    expect(scene.room('newest')).toEqual([0]); // there is an end to it
  });

  test.each([
    { what: 'no answer', tookMs: undefined },
    { what: 'a slow one', tookMs: 100 },
  ])('is back to the usual after $what', ({ tookMs }) => {
    const scene = new Scene({ perEndpoint: 8, perInstance: 1_000 });
    scene.quick('we_a');
    const lane = scene.take('we_a', 1);
    const [one] = scene.begin(lane);
    scene.lanes.answered(lane, tookMs);
    scene.lanes.settled(lane, one!);
    expect(scene.room('we_a')).toEqual([8]);
  });
});

test('a receiver gets eight at a time, and the next as soon as it has answered one', () => {
  const scene = new Scene({ perEndpoint: 8, perInstance: 1_000 });
  scene.quick('we_a');
  const lane = scene.take('we_a', 20);
  expect(scene.begin(lane)).toHaveLength(8);
  scene.lanes.answered(lane, 5);
  expect(scene.begin(lane)).toHaveLength(1);
  expect(lane.held).toBe(20); // the answered one is not written down yet
});

test('more is leased when half is settled, and not when no more was due', () => {
  const scene = new Scene({ perEndpoint: 8, perInstance: 1_000 });
  const lane = scene.take('we_a', 8);
  const begun = scene.begin(lane);
  expect(begun.map((one) => scene.lanes.settled(lane, one))).toEqual([...Array(3).fill(false), ...Array(5).fill(true)]);
  const few = scene.take('we_b', 3);
  expect(scene.begin(few).map((one) => scene.lanes.settled(few, one))).toEqual([false, false, false]);
});

test('more is leased immediately when an endpoint got no capacity', () => {
  const scene = new Scene({ perEndpoint: 8, perInstance: 8 });
  const lane = scene.take('we_a', 8);
  const begun = scene.begin(lane);
  expect(scene.room('we_a', 'we_b')).toEqual([0, 2]);
  expect(scene.lanes.settled(lane, begun[0]!)).toBe(true);
});

test('the waiting deliveries of a receiver that has stopped answering are released; those in flight stay', () => {
  const scene = new Scene({ perEndpoint: 8, perInstance: 1_000 });
  scene.quick('we_a');
  const lane = scene.take('we_a', 50);
  scene.begin(lane);
  scene.now = 250;
  expect(scene.lanes.takeStalled()).toEqual([]);
  scene.now = 251;
  expect(scene.lanes.takeStalled()).toHaveLength(42);
  expect([lane.held, scene.lanes.held.length]).toEqual([8, 8]);
  expect(scene.room('we_a')).toEqual([0]);
});

test('a delivery that is resent while it is in flight is held again, and the end of the first attempt does not end that', () => {
  const scene = new Scene();
  const name = laneName(due('we_a'));
  const [first, second] = [delivery('we_a', 'whd_1', 2), delivery('we_a', 'whd_1', 4)];
  const lane = scene.lanes.accept(name, [first], 8);
  scene.lanes.next(lane);
  scene.lanes.accept(name, [second], 8);
  scene.lanes.settled(lane, first);
  expect(scene.lanes.held).toEqual([second]);
});

test('a delivery that another instance has leased is not sent from here', () => {
  const scene = new Scene({ perEndpoint: 1, perInstance: 100 });
  const lane = scene.lanes.accept(
    laneName(due('we_a')),
    [delivery('we_a', 'a'), delivery('we_a', 'b'), delivery('we_a', 'c')],
    3,
  );
  scene.lanes.next(lane);
  scene.lanes.dropLost((one) => one.id !== ('c' as string));
  expect(lane.waiting.map((one) => one.id)).toEqual(['c']);
  expect(scene.lanes.held.map((one) => one.id)).toEqual(['a', 'c']); // the first is on its way
});

describe('bytes of large payloads', () => {
  const mb = 1_000_000;
  const large = (endpoint: string, id: number, bytes: number) =>
    ({
      tenant: 1,
      endpoint,
      id: `whd_${endpoint}${id}`,
      version: 2,
      bytes,
      payload: null,
    }) as unknown as LeasedDelivery;
  const fill = (scene: Scene, endpoint: string, count: number, bytes: number) =>
    scene.lanes.accept(
      laneName(due(endpoint)),
      Array.from({ length: count }, (_, at) => large(endpoint, at, bytes)),
      count,
    );
  const limits = { perEndpoint: 8, perInstance: 1_000, bytesInFlight: 10 * mb };

  test('half of them for receivers that are not quick; the first of each is sent even then, up to twice the limit', () => {
    const scene = new Scene(limits);
    const lanes = Array.from({ length: 30 }, (_, at) => fill(scene, `we_${at}`, 8, mb));
    expect(lanes.map((lane) => scene.begin(lane).length)).toEqual([5, ...Array(15).fill(1), ...Array(14).fill(0)]);
    expect(scene.lanes.withoutBytes()).toHaveLength(30);
  });

  test('a quick receiver gets all of them, and small payloads do not count', () => {
    const scene = new Scene(limits);
    scene.quick('we_quick');
    expect(scene.begin(fill(scene, 'we_quick', 8, 2 * mb))).toHaveLength(5);
    const small = scene.take('we_small', 8);
    expect(scene.begin(small)).toHaveLength(8);
  });

  test('freed bytes go to the lane that has waited longest, and a lane without deliveries waits no longer', () => {
    const scene = new Scene(limits);
    const [a, b, c] = ['we_a', 'we_b', 'we_c'].map((endpoint) => fill(scene, endpoint, 8, 4 * mb)) as [
      Lane,
      Lane,
      Lane,
    ];
    const sent = [...scene.begin(a), ...scene.begin(b), ...scene.begin(c)];
    expect(sent).toHaveLength(3);
    expect(scene.lanes.withoutBytes()).toEqual([a, b, c]);
    const next = (lane: Lane, delivery: LeasedDelivery) => {
      scene.lanes.answered(lane, 1_000, delivery);
      scene.lanes.settled(lane, delivery);
      return scene.lanes.withoutBytes().flatMap((waiting) => scene.begin(waiting));
    };
    expect(next(a, sent[0]!).map(({ endpoint }) => endpoint)).toEqual(['we_a']); // the only one with nothing in flight
    expect(scene.lanes.withoutBytes()).toEqual([b, c, a]);
    scene.lanes.takeAllWaiting();
    expect(scene.lanes.withoutBytes()).toEqual([]);
  });
});

import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { parseRanges } from '../base/ip_range.ts';
import { oddLoopbackHosts, refusedAddresses } from './addresses.fixture.ts';
import { dialer } from './dial.ts';
import { answer, startReceiver } from './receiver.fixture.ts';
import type { Lookup } from './resolve.ts';
import { Sender, type Sent } from './send.ts';
import { checkTarget, type TargetRules } from './target.ts';

/** The canary listens on loopback, where every refused case would arrive if it were connected to. It must see no connection. */

const strict: TargetRules = { httpAllowed: true, allowed: [] };
const refusal = 'the address is not allowed: it does not lead to a public address';

function sender(rulesFor: (mode: 'test' | 'live') => TargetRules, lookup: Lookup): Sender {
  const made = new Sender({ rulesFor, clock: systemClock, deadlineMs: 1_000, lookup });
  onTestFinished(() => made.close());
  return made;
}

function send(made: Sender, url: string, mode: 'test' | 'live' = 'live'): Promise<Sent> {
  return made.send({ url, mode, headers: {}, body: Buffer.from('{}') });
}

const startCanary = () => startReceiver(answer('200 OK'), undefined, '::'); // v4 and v6

describe('no connection is made', () => {
  test('to a literal in any notation', async () => {
    const canary = await startCanary();
    const made = sender(
      () => strict,
      async () => ['127.0.0.1'],
    );
    for (const host of oddLoopbackHosts)
      for (const scheme of ['http', 'https'])
        expect((await send(made, `${scheme}://${host}:${canary.port}/`)).error, host).toBe(refusal);
    expect(canary.connections).toBe(0);
  });

  test('to a name that resolves to an address that is not public', async () => {
    const canary = await startCanary();
    for (const address of Object.values(refusedAddresses).flat()) {
      const made = sender(
        () => strict,
        async () => [address],
      );
      for (const scheme of ['http', 'https'])
        expect((await send(made, `${scheme}://hooks.example.com:${canary.port}/`)).error, address).toBe(refusal);
    }
    expect(canary.connections).toBe(0);
  });

  test('to a name of which one address is refused, at any position', async () => {
    const canary = await startCanary();
    for (const addresses of [
      ['127.0.0.1', '::1'],
      ['::1', '127.0.0.1'],
      ['127.0.0.1', '10.0.0.1'],
    ]) {
      const only4 = { httpAllowed: true, allowed: parseRanges(['127.0.0.0/8']) };
      const made = sender(
        () => only4,
        async () => addresses,
      );
      expect((await send(made, `http://hooks.example.com:${canary.port}/`)).error).toBe(refusal);
    }
    expect(canary.connections).toBe(0);
  });

  test('to a name that was public when it was checked and is private when the connection is opened', async () => {
    const canary = await startCanary();
    const answers = [['1.1.1.1'], ['127.0.0.1'], ['::1'], ['169.254.169.254']];
    const rebinding: Lookup = async () => answers.shift() ?? [];
    const url = `http://hooks.example.com:${canary.port}/`;
    expect(await checkTarget(url, strict, rebinding)).toBeUndefined();
    const made = sender(() => strict, rebinding);
    for (let at = 0; at < 3; at++) expect((await send(made, url)).error).toBe(refusal);
    expect(canary.connections).toBe(0);
  });

  test('in live mode to an address that only test mode may reach, although test mode has a connection open', async () => {
    const canary = await startCanary();
    const open = { httpAllowed: true, allowed: parseRanges(['127.0.0.0/8']) };
    const made = sender(
      (mode) => (mode === 'test' ? open : strict),
      async () => ['127.0.0.1'],
    );
    for (const host of ['127.0.0.1', 'hooks.example.com']) {
      const url = `http://${host}:${canary.port}/`;
      expect(await send(made, url, 'test')).toMatchObject({ status: 200 });
      const before = canary.connections;
      expect((await send(made, url, 'live')).error).toBe(refusal);
      expect(canary.connections).toBe(before);
    }
  });

  test('to an address of this machine, and to a port that is not for webhooks', async () => {
    const own = { addresses: new Set(['1.1.1.1']), publicUrl: 'https://pay.example.com' };
    const made = sender(
      () => ({ ...strict, own }),
      async () => ['1.1.1.1'],
    );
    const itself = 'the address is not allowed: it leads to this gateway itself';
    for (const url of ['http://1.1.1.1:9090/', 'http://hooks.example.com/', 'https://pay.example.com/'])
      expect((await send(made, url)).error).toBe(itself);
    const mail = sender(
      () => strict,
      async () => ['1.0.0.1'],
    );
    expect((await send(mail, 'http://hooks.example.com:25/')).error).toBe(
      'the address is not allowed: its port must be 80, 443 or above 1023',
    );
  });

  test('with http where only https is allowed', async () => {
    const canary = await startCanary();
    const secure = { httpAllowed: false, allowed: parseRanges(['127.0.0.0/8']) };
    const made = sender(
      () => secure,
      async () => ['127.0.0.1'],
    );
    expect((await send(made, `http://127.0.0.1:${canary.port}/`)).error).toBe(
      'the address is not allowed: it must begin with https://',
    );
    expect(canary.connections).toBe(0);
  });
});

test('a name is resolved once per connection, so the checked address is the one that is used', async () => {
  const canary = await startCanary();
  let asked = 0;
  const open = { httpAllowed: true, allowed: parseRanges(['127.0.0.0/8']) };
  const made = sender(
    () => open,
    async () => (asked++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']),
  );
  expect(await send(made, `http://hooks.example.com:${canary.port}/`)).toMatchObject({ status: 200, error: null });
  expect(asked).toBe(1);
});

test('the remote address is checked again once connected, by the rules of that moment', async () => {
  const canary = await startCanary();
  const open = { httpAllowed: true, allowed: parseRanges(['127.0.0.0/8']) };
  const answers = [open, strict]; // for the literal, then for the remote address
  const dial = dialer({
    rules: () => answers.shift()!,
    lookup: async () => [],
    deadlineMs: 1_000,
    certificateAuthorities: undefined,
  });
  const error = await new Promise<unknown>((resolve) =>
    dial({ hostname: '127.0.0.1', protocol: 'http:', port: String(canary.port) }, (...[failed]) => resolve(failed)),
  );
  expect(error).toMatchObject({ message: refusal });
  expect(canary.received()).toBe('');
});

import { describe, expect, test } from 'vitest';
import type { Host, Target } from './database_url.ts';
import { HostChoice, type SessionState } from './hosts.ts';
import { Unfit } from './unfit.ts';

const primary: SessionState = { isStandby: false, isReadOnly: false };
const standby: SessionState = { isStandby: true, isReadOnly: false };
const readOnly: SessionState = { isStandby: false, isReadOnly: true };
type Answer = SessionState | 'down' | 'silent';

function choice(target: Target, answers: Record<string, Answer>) {
  const asked: string[] = [];
  const hosts = Object.keys(answers).map((host): Host => ({ host, port: '' }));
  const ask = async ({ host }: Host) => {
    asked.push(host);
    const answer = answers[host]!;
    if (answer === 'silent') return Promise.withResolvers<SessionState>().promise;
    if (answer === 'down') throw Object.assign(new Error('ECONNREFUSED'), { code: 'ECONNREFUSED' });
    return answer;
  };
  return { choice: new HostChoice(hosts, target, ask), asked };
}

describe('the host of a new connection', () => {
  test.each<[Target, Record<string, Answer>, string]>([
    ['any', { a: standby, b: primary }, 'a'],
    ['any', { a: 'down', b: standby }, 'b'],
    ['read-write', { a: standby, b: primary }, 'b'],
    ['read-write', { a: 'down', b: readOnly, c: primary }, 'c'],
    ['read-write', { a: 'silent', b: primary }, 'b'],
    ['primary', { a: standby, b: readOnly }, 'b'],
    ['read-only', { a: primary, b: readOnly }, 'b'],
    ['standby', { a: primary, b: standby }, 'b'],
    ['prefer-standby', { a: primary, b: standby }, 'b'],
    ['prefer-standby', { a: primary, b: 'down' }, 'a'],
  ])('for %s among %j is %s', async (target, answers, host) => {
    expect((await choice(target, answers).choice.choose()).host).toBe(host);
  });

  test('is kept until a connection to it fails, and looked for once for all who ask', async () => {
    const answers: Record<string, Answer> = { a: primary, b: standby };
    const { choice: one, asked } = choice('read-write', answers);
    const chosen = await Promise.all([one.choose(), one.choose(), one.choose()]);
    expect([...new Set(chosen.map(({ host }) => host)), asked]).toEqual(['a', ['a']]);
    Object.assign(answers, { a: 'down', b: primary });
    expect((await one.choose()).host).toBe('a');
    one.forget(chosen[0]!);
    expect((await one.choose()).host).toBe('b');
  });

  test('that turns out to be of another kind is refused', async () => {
    const { choice: one } = choice('read-write', { a: primary });
    const host = await one.choose();
    expect(() => one.check(host, primary)).not.toThrow();
    expect(() => one.check(host, standby)).toThrow('no host suits target_session_attrs=read-write: a is a standby');
  });

  test('is missing if none is of the right kind, and the message says what each is', async () => {
    const { choice: one } = choice('read-write', { a: standby, b: 'down' });
    const refused = one.choose();
    await expect(refused).rejects.toBeInstanceOf(Unfit);
    await expect(refused).rejects.toThrow('read-write: a is a standby, b: ECONNREFUSED');
    await expect(choice('any', { a: 'down', b: 'down' }).choice.choose()).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

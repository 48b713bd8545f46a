import { randomBytes } from 'node:crypto';
import type { Mode } from '../base/reads.ts';
import type { Operator } from '../commands/operator.ts';
import type { Role } from '../operations/role.ts';
import type { Answer, Client } from './client.ts';

export type TestPerson = {
  id: string;
  email: string;
  password: string;
  /** Requests with the cookie, the token and the headers of the dashboard. */
  client: Client;
  /** The same without the account and the mode. */
  alone: Client;
  /** That of `client` and `alone`, as the browser sends it. */
  cookie: string;
  /** Another session of the same user. */
  signInAgain(): Promise<Client>;
};

type Server = { operator: Operator; anonymous: Client; baseUrl: string };

export const testPassword = 'correct horse battery staple';

/** Makes a user, and signs in as the dashboard does. */
export async function signedIn(
  { operator, anonymous, baseUrl }: Server,
  account: string,
  role: Role,
  { mode = 'test' }: { mode?: Mode } = {},
): Promise<TestPerson> {
  const email = `${role}-${randomBytes(6).toString('hex')}@example.com`;
  const parameters = { email, password: testPassword, role };
  const { id } = await operator.run<{ id: string }>('users.create', { account, mode, parameters });
  const visitor = anonymous.with({ Origin: baseUrl });
  const signIn = async () => {
    const answer = await visitor.post('/v1/sessions', { email, password: testPassword });
    if (answer.status !== 200) throw new Error(`signing in was answered ${answer.status}: ${answer.text}`);
    const cookie = cookieOf(answer);
    return { cookie, alone: visitor.with({ Cookie: cookie, 'X-Tollgate-CSRF': answer.json.csrf_token }) };
  };
  const { cookie, alone } = await signIn();
  const client = alone.with({ 'X-Tollgate-Account': account, 'X-Tollgate-Mode': mode });
  return { id, email, password: testPassword, client, alone, cookie, signInAgain: async () => (await signIn()).alone };
}

/** The bytes of a secret as people type it. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'));
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
}

/** The cookie that an answer sets, as a browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  const [cookie = ''] = headers['set-cookie'] ?? [];
  return cookie.split(';', 1)[0]!;
}

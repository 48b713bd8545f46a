import { type Fetch, Tollgate, type TollgateOptions } from '../src/index.ts';

export type Sent = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
  credentials: unknown;
};

/** What a fake gateway does with a request: respond, or fail as a network does. */
export type Reaction = (init: RequestInit) => Response | Promise<Response>;

/** A client of a fake gateway that reacts to one request after the other; the last reaction repeats. */
export function fakeGateway(reactions: Reaction[], options: object = {}) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    const { method, headers, body, credentials } = init;
    sent.push({ url, method: method!, headers: headers as Record<string, string>, body, credentials });
    return reactions[Math.min(sent.length, reactions.length) - 1]!(init);
  };
  const given = { baseUrl: 'https://gateway.example', apiKey: 'sk_test_tg_1', fetch, ...options };
  const tollgate = new Tollgate(given as TollgateOptions);
  return { tollgate, sent };
}

export const ok =
  (value: unknown = { object: 'customer', id: 'cus_1' }): Reaction =>
  () =>
    Response.json(value);

export function refused(status: number, code: string, type: string, headers: Record<string, string> = {}): Reaction {
  return () => Response.json({ error: { code, type, message: 'No.', param: 'id' } }, { status, headers });
}

export const reset: Reaction = () => {
  throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });
};

/** Never responds, and ends when it is aborted. */
export const hangs: Reaction = ({ signal }) =>
  new Promise((_, reject) => {
    signal!.addEventListener('abort', () => reject(signal!.reason));
  });

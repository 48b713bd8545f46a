import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { Refusal } from '../base/errors.ts';
import { newId } from '../base/id.ts';
import type { Page } from '../base/page.ts';
import type { Caller, SignedIn } from '../operations/caller.ts';
import type { AnyOperation } from '../operations/operation.ts';
import type { Scope } from '../operations/scope.ts';
import type { RateState } from './admission/rate_limit.ts';
import type { VersionChoice } from './admission/versions.ts';

/** The callers that can send a request. */
export type RequestCaller = Extract<Caller, { kind: 'key' | 'person' | 'visitor' }>;

/** A request and the facts known about it. Each stage adds the facts that it finds; the answer and the logs read them. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly method: string;
  /** As on the request line: a signature covers it. */
  readonly target: string;
  readonly address: string;
  readonly version: VersionChoice;
  rate: RateState | undefined;
  /** Set once the API key or the session is verified. */
  caller: RequestCaller | undefined;
  /** Whose session the cookie is of, if it is over. */
  endedSession: Pick<SignedIn, 'user' | 'email'> | undefined;
  operation: AnyOperation | undefined;
  /** The path that the page declares, with its `:names`. */
  page: string | undefined;
  /** How the page shows a refusal to a person; undefined: as JSON. */
  renderRefusal: Page['renderRefusal'];
  isProbe = false;
  /** An answer with a lower status is neither in the log nor in the request log. */
  loggedFrom = 0;
  /** As the logs may show it. */
  shownIdempotencyKey: string | undefined;
  /** Redacted, as JSON. */
  parameters: string | undefined;
  /** In test mode, for the request log: the id in the path, and the parameters as they were sent. */
  sent: { id: string; values: Record<string, unknown> } | undefined;
  /** Whether the answer is that of an earlier request with the same idempotency key. */
  isReplayed = false;
  objectId: string | undefined;
  /** That the answer needed beside the scope of the operation. */
  scopes: readonly Scope[] = [];
  refusal: Refusal | undefined;

  /** The headers of the request have arrived. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    version: VersionChoice,
    clock: Clock,
  ) {
    this.request = request;
    this.response = response;
    this.receivedAt = clock.now();
    this.startedAt = clock.monotonic();
    this.requestId = newId('req', this.receivedAt);
    this.method = request.method ?? '';
    this.target = request.url ?? '';
    this.address = address;
    this.version = version;
  }
}

/** The value of a header that is sent at most once, as admission has checked. `name` is in lower case. */
export function headerOf({ request }: Exchange, name: string): string | undefined {
  return request.headers[name] as string | undefined;
}

/** The query as it was sent, without its question mark. */
export function queryOf({ target }: Exchange): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at + 1);
}

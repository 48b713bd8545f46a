import type { IncomingHttpHeaders } from 'node:http';

export type PageMethod = 'GET' | 'HEAD' | 'POST';

/** Everything that a page may need, including what it takes to verify an inbound signature. */
export type PageRequest = {
  method: PageMethod;
  /** The values of the `:names` in the path, percent-decoded. */
  params: Readonly<Record<string, string>>;
  /** As it was sent, without the question mark. */
  query: string;
  headers: IncomingHttpHeaders;
  /** The bytes as they were sent: a signature covers these, not what a parser makes of them. Empty for GET and HEAD. */
  body: Buffer;
  /** The client's, also behind a trusted proxy. */
  address: string;
};

export type Rendered = { status: number; contentType: string; body: string; headers?: Record<string, string> };

/** A path that is served without an API key: health, documentation, a form for cardholders, a processor's notices. */
export type Page = {
  /** May hold `:names`. Their values are never logged. */
  path: string;
  /** GET and HEAD when not given. */
  methods?: readonly PageMethod[];
  /** 256 KiB when not given. */
  bodyBytesMax?: number;
  /**
   * Which requests count against the rate limit of their address: all, none, or those that are answered with a 4xx status. Health
   * checks never count, because a load balancer must not be refused. A processor's notices count when they are refused, because
   * somebody may be guessing signatures.
   */
  counted: boolean | 'refused';
  render(request: PageRequest): Promise<Rendered> | Rendered;
};

export function jsonPage(status: number, value: object): Rendered {
  return { status, contentType: 'application/json', body: JSON.stringify(value) };
}

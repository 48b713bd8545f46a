import type { IncomingHttpHeaders } from 'node:http';

export type PageMethod = 'GET' | 'HEAD' | 'POST';

/** Everything that a page may need, including the parts that an inbound signature covers. */
export type PageRequest = {
  method: PageMethod;
  /** The values of the `:names` in the path, percent-decoded. */
  params: Readonly<Record<string, string>>;
  /** As sent, without the question mark. */
  query: string;
  headers: IncomingHttpHeaders;
  /** The bytes as sent, which a signature covers. Empty for GET and HEAD. */
  body: Buffer;
  /** The client's IP address, also behind a trusted proxy. */
  address: string;
};

export type Rendered = {
  status: number;
  contentType: string;
  body: string;
  /** In place of `body`: of what is no text, or is encoded already. */
  bytes?: Buffer;
  headers?: Record<string, string>;
  /** Default: no-store. */
  cacheControl?: string;
};

/** A path that is served without an API key: health, documentation, a form for cardholders, a processor's notices. */
export type Page = {
  /** May hold `:names`, and end with `*` for everything below. Their values are never logged. */
  path: string;
  /** Default: GET and HEAD. */
  methods?: readonly PageMethod[];
  /** Default: 256 KiB. */
  bodyBytesMax?: number;
  /**
   * Which requests count against the rate limit of their address: all, none, or those that are answered with a 4xx status. Health
   * checks never count, because a load balancer must not be refused. A processor's notices count when they are refused, because
   * somebody may be guessing signatures. `page`: all, against the limit of pages, for what somebody reads, and what a browser asks for while
   * somebody types. `customer`: all, against that of pages for customers.
   */
  counted: boolean | 'refused' | 'page' | 'customer';
  /** A health check: logged at level debug, and counted apart from requests. */
  isProbe?: boolean;
  /**
   * Default: every request has a line in the log and a row in the request log. 'refused': only those that are not answered with a 2xx or
   * 3xx status; the page keeps what it accepts elsewhere. 'never': none but failures of the server, because anybody can ask for such a page as
   * often as they like. All are counted in the metrics.
   */
  logged?: 'refused' | 'never';
  render(request: PageRequest): Promise<Rendered> | Rendered;
  /** How a refusal or a failure is shown to a person. Default: as JSON, as that of an operation. */
  renderRefusal?(refused: RefusedPage, headers: IncomingHttpHeaders): Rendered;
};

/** `secondsLeft`: when to try again. */
export type RefusedPage = { status: number; secondsLeft: number };

export function jsonPage(status: number, value: object): Rendered {
  return { status, contentType: 'application/json', body: JSON.stringify(value) };
}

export function escapeHtml(text: string): string {
  if (!/[&<>"]/.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

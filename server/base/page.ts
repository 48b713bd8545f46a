import type { IncomingHttpHeaders } from 'node:http';

export type PageMethod = 'GET' | 'HEAD' | 'POST';

export type PageRequest = {
  method: string;
  /** What stands in the place of the `:names` of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The bytes as they came: what a signature is computed over. */
  body: Buffer;
  address: string;
};

/** What answers without an API key: health, documentation, a page for cardholders, the notices of a processor. */
export type Page = {
  /** May hold `:names`; what stands in their place is never logged. */
  path: string;
  /** GET and HEAD when not given. */
  methods?: readonly PageMethod[];
  /** Whether requests are counted by address. Health checks are not: a balancer must never be turned away. */
  counted: boolean;
  render(request: PageRequest): Promise<Rendered> | Rendered;
};

export type Rendered = { status: number; contentType: string; body: string; headers?: Record<string, string> };

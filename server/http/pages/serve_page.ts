import { ApiError } from '../../base/errors.ts';
import type { Page, PageMethod, Rendered } from '../../base/page.ts';
import type { AddressLimiter } from '../admission/address_limit.ts';
import { admitToPage } from '../admission/admission.ts';
import type { PathParams } from '../admission/routes.ts';
import { type Exchange, queryOf } from '../exchange.ts';
import { bodyBytesMax, readBody } from '../reading/read_body.ts';

const noBody = Buffer.alloc(0);

/** Admits the request, reads its body and renders the page. */
export async function servePage(
  exchange: Exchange,
  page: Page,
  params: PathParams,
  addresses: AddressLimiter,
): Promise<Rendered> {
  admitToPage(exchange, addresses, page.counted);
  try {
    const rendered = await render(exchange, page, params);
    if (isClientError(rendered.status)) countRefused(exchange, page, addresses);
    return rendered;
  } catch (error) {
    if (error instanceof ApiError && isClientError(error.status)) countRefused(exchange, page, addresses);
    throw error;
  }
}

async function render(exchange: Exchange, page: Page, params: PathParams): Promise<Rendered> {
  const { request, address } = exchange;
  const method = exchange.method as PageMethod; // the router finds pages by their methods
  const body = method === 'POST' ? await readBody(request, page.bodyBytesMax ?? bodyBytesMax) : noBody;
  return page.render({ method, params, query: queryOf(exchange), headers: request.headers, body, address });
}

function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

function countRefused(exchange: Exchange, page: Page, addresses: AddressLimiter): void {
  if (page.counted === 'refused') exchange.rate = addresses.take(exchange.address).state;
}

import { type Exchange, headerOf } from '../exchange.ts';
import { type Granted, rateRefusal } from './rate_limit.ts';
import { checkVersion } from './versions.ts';

/** Notes the window for the headers of the answer, and refuses the request if the window is used up. */
export function applyGrant(exchange: Exchange, { admitted, state }: Granted, hint?: string): void {
  exchange.rate = state;
  if (!admitted) throw rateRefusal(state, hint);
}

export function refuseVersion(exchange: Exchange): void {
  checkVersion(exchange.version, exchange.request.headers.accept, headerOf(exchange, 'x-service-version'));
}

import type {
  AuthorizeRequest,
  Connector,
  Instrument,
  RequestedPage,
  SetupRequest,
} from '../../../connectors/contract.ts';
import type { Attempt } from '../attempts/attempt.ts';

const minuteMs = 60_000;

type AskedForPage = Pick<AuthorizeRequest & SetupRequest, 'instrument' | 'returnUrl' | 'authentication'> &
  Pick<AuthorizeRequest, 'statementDescriptor' | 'description'>;

/** What a processor is asked for a page by, stored with the attempt; null: for none. The page lives as long as the processor allows. */
export function requestedPage(
  connector: Connector,
  { instrument, returnUrl, authentication, statementDescriptor, description }: AskedForPage,
  now: number,
): RequestedPage | null {
  const { page } = connector.describe();
  if (instrument.kind !== 'page' || page === undefined) return null;
  const { kind: _, holder: __, expiresAt, ...terms } = instrument;
  const within = Math.min(Math.max(expiresAt, now + page.minMinutes * minuteMs), now + page.maxMinutes * minuteMs);
  const wishes = {
    ...(authentication && { authentication }),
    ...(statementDescriptor && { statementDescriptor }),
    ...(description && { description }),
  };
  return { ...terms, expiresAt: within, returnUrl, ...wishes };
}

/** The instrument as the stored attempt says. */
export function asAskedFor(instrument: Instrument, { page }: Attempt): Instrument {
  return instrument.kind === 'page' && page !== null ? { ...instrument, expiresAt: page.expiresAt } : instrument;
}

import type { PageRequest } from '../../../base/page.ts';
import { cookieIn, tokenIn } from '../../admission/session_lookup.ts';

/**
 * Before any script runs, the page shows the shape of what follows, in the colours that were chosen: nothing changes its place or its colour
 * when the scripts take over.
 */
type FirstPaint = { shape: 'visitor' | 'test' | 'live'; scheme: 'light' | 'dark' | 'auto' };

/** Written by `dashboard/src/session/color_scheme.ts`. */
const schemeCookie = 'tollgate-colors';

export function firstPaintOf({ params, headers }: Pick<PageRequest, 'params' | 'headers'>): FirstPaint {
  const chosen = cookieIn(headers.cookie, schemeCookie);
  const scheme = chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
  const path = params['*'] ?? '';
  if (tokenIn(headers.cookie) === undefined || /^(sign-in|invitation|reset)\/?$/.test(path))
    return { shape: 'visitor', scheme };
  return { shape: /^\w+\/live(\/|$)/.test(path) ? 'live' : 'test', scheme };
}

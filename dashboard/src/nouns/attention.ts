import type { NeedsAttention } from '@tollgate/node';
import { useRead } from '../kit/read.ts';

/** What waits for a person: one reading for the navigation and the pages. */
export function useAttention() {
  return useRead<NeedsAttention>(['needs_attention'], (api, options) => api.needsAttention.list({}, options));
}

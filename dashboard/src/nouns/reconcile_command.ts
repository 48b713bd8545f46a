import { tollgateCommand } from '../kit/ca_file.ts';
import type { Mode } from '../session/rights.ts';

/** Compares the ledger with the statement of a processor, and keeps the result. Test payments go to the simulator. */
export function reconcileCommand(mode: Mode): string {
  const processor = mode === 'test' ? '--connector simulator' : '--processor-account pa_…';
  return tollgateCommand(`reconcile ${processor} --date $(date -u +%F) --record`);
}

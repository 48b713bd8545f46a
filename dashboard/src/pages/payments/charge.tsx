import { lazy } from 'react';
import { chunk } from '../../kit/chunk.ts';

/** A part of its own: no page shows it at first. */
export const NewPaymentDialog = lazy(
  chunk(async () => ({ default: (await import('./new_payment.tsx')).NewPaymentDialog })),
);

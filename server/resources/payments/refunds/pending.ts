/** Whether a refund of a payment has no outcome yet. */
export { findPending as isRefundPending } from './store.ts';

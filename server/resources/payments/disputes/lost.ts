/** How much of payments was lost in disputes. */
export { findLost as findLostOf } from './store.ts';

export { RefundPage as Detail } from './detail.tsx';
export { RefundsPage as Page } from './list.tsx';

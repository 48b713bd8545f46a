export { TransactionPage as Detail } from './detail.tsx';
export { BalancePage as Page } from './list.tsx';

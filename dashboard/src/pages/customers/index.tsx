export { CustomerPage as Detail } from './detail.tsx';
export { CustomersPage as Page } from './list.tsx';

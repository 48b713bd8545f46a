export { PaymentPage as Detail } from './detail.tsx';
export { PaymentsPage as Page } from './list.tsx';

export { PaymentMethodPage as Detail } from './detail.tsx';
export { PaymentMethodsPage as Page } from './list.tsx';

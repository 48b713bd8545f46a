export { InvoicePage as Detail } from './detail.tsx';
export { InvoicesPage as Page } from './list.tsx';

export { PricePage as Detail } from './detail.tsx';
export { PricesPage as Page } from './list.tsx';
